import { Big } from 'big.js';
import type { Language, Text } from '../domain/language.ts';
import type { LineResult, Outcome } from './line-result.ts';
import { outcomeTexts } from './page-texts.ts';

/** The locale in which numbers and times are formatted, by language. */
export const LOCALES: Text = { en: 'en-US', es: 'es-AR' };

/** Counts and sums the lines by outcome, in the order of the outcomes, without those that no line has. */
export function computeTotals(results: readonly LineResult[]): { outcome: Outcome; count: number; sum: Big }[] {
  const outcomes = Object.keys(outcomeTexts) as Outcome[];
  const totals = outcomes.map((outcome) => {
    const lines = results.filter((result) => result.outcome === outcome);
    return { outcome, count: lines.length, sum: sumAmounts(lines) };
  });
  return totals.filter(({ count }) => count > 0);
}

/** Sums the declared amounts exactly. */
export function sumAmounts(lines: readonly LineResult[]): Big {
  return lines.reduce((sum, { declaration }) => sum.plus(declaration.amount), new Big(0));
}

/** Formats an amount with separators of thousands and 2 to 6 decimals. The service stores at most 6. */
export function formatAmount(amount: Big | number, language: Language): string {
  const format = new Intl.NumberFormat(LOCALES[language], { minimumFractionDigits: 2, maximumFractionDigits: 6 });
  // `format` keeps all digits of a string. The type of TypeScript requires the cast.
  return format.format(new Big(amount).toFixed() as `${number}`);
}
