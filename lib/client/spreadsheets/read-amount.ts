import type { Reading } from './spreadsheet-error.ts';
import { texts } from './spreadsheet-texts.ts';

/** The names of the decimal marks. */
export const DECIMAL_SIGNS = ['comma', 'point'] as const;
export type DecimalSign = (typeof DECIMAL_SIGNS)[number];

export interface TextCell {
  readonly line: number;
  readonly text: string;
}

/** The style of the amounts in a file, from an option or from its cells. */
export interface AmountStyle {
  /** The decimal mark that an option gives. */
  readonly decimal?: DecimalSign | undefined;
  /** True if decimals may have a comma. */
  readonly mayHaveComma: boolean;
  /** The decimal marks in the amounts of the file. */
  readonly marks: readonly (',' | '.')[];
  /** An amount such as 1.050,00, which proves that points separate thousands. */
  readonly proof?: TextCell | undefined;
  /** True if some thousands have no point, as in 1050,5; then 1.050 is ambiguous. */
  readonly isMixed: boolean;
}

const PLAIN = /^-?\d+(?:[.,]\d+)?$/;
const WITH_COMMA = /^-?(?:[1-9]\d{0,2}(?:\.\d{3})+|\d+)(?:,\d+)?$/;
const PROOF = /^-?[1-9]\d{0,2}(?:(?:\.\d{3})+,\d+|(?:\.\d{3}){2,})$/;
const THOUSANDS_OR_DECIMALS = /^-?(?:0+\d{1,3}|[1-9]\d{0,2})[.,]\d{3}$/;
const EXPONENT = /^[-+]?[\d.,]+e[-+]?\d+$/i;

/** Finds the style of amounts from all of them, because one amount can prove how another is meant. */
export function findAmountStyle(
  cells: readonly TextCell[],
  { decimal, mayHaveComma }: Pick<AmountStyle, 'decimal' | 'mayHaveComma'>,
): AmountStyle {
  const numbers = cells.map(({ line, text }) => ({ line, text: removeCurrency(text) }));
  const proof = mayHaveComma ? numbers.find(({ text }) => PROOF.test(text)) : undefined;
  const shown = (proof ? ([','] as const) : ([',', '.'] as const)).filter((mark) =>
    numbers.some(({ text }) => text.includes(mark) && !THOUSANDS_OR_DECIMALS.test(text)),
  );
  const chosen = decimal === 'comma' ? (',' as const) : ('.' as const);
  const marks = decimal ? [chosen] : shown;
  return { decimal, mayHaveComma, proof, marks, isMixed: numbers.some(({ text }) => /^\d{4}/.test(text)) };
}

/** Reads an amount exactly; an ambiguous text is an error, and a text that is not a number is returned unchanged. */
export function readAmount(cell: string, style: AmountStyle): Reading {
  const text = cell.trim();
  const isWithComma = WITH_COMMA.test(text);
  if (style.decimal === 'comma') {
    return isWithComma ? { value: text.replaceAll('.', '').replace(',', '.') } : { fault: texts.commaWanted };
  }
  if (style.decimal === 'point') {
    return isWithComma && text.includes(',') ? { fault: texts.pointWanted, hint: 'decimal' } : { value: text };
  }
  const number = removeCurrency(text);
  const { proof, isMixed } = style;
  if (!proof || !/^-?\d[\d.,]*$/.test(number)) return readNumber(number, style);
  if (!WITH_COMMA.test(number)) {
    return { fault: texts.otherStyle(shorten(number), { ...proof, text: shorten(proof.text) }) };
  }
  const isUncertain = isMixed && THOUSANDS_OR_DECIMALS.test(number);
  return readNumber(isUncertain ? number : number.replaceAll('.', ''), style);
}

/** Reads digits with at most one decimal mark; an ambiguous text such as 1.050 is an error. */
export function readNumber(text: string, { mayHaveComma }: Pick<AmountStyle, 'mayHaveComma'>): Reading {
  if (EXPONENT.test(text)) return { fault: texts.exponent };
  if (!mayHaveComma && text.includes(',') && WITH_COMMA.test(text)) return { fault: texts.noComma, hint: 'decimal' };
  if (THOUSANDS_OR_DECIMALS.test(text)) {
    const decimal = `${mayHaveComma ? text.replace('.', ',') : text}0`;
    return { fault: texts.ambiguous(text, text.replace(/[.,]/, ''), decimal), hint: 'decimal' };
  }
  return { value: PLAIN.test(text) ? text.replace(',', '.') : text };
}

/** Shortens a text that is too long for an amount, so that an error is one line. */
const shorten = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}…` : text);

/** Removes the currency sign that formats of spreadsheets add. */
const removeCurrency = (text: string) => text.replace(/^\$\s*/, '');
