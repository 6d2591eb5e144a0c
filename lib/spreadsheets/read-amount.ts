import type { Reading } from './spreadsheet-error.ts';
import { texts } from './spreadsheet-texts.ts';

/** What may stand before decimals. */
export const DECIMAL_SIGNS = ['comma', 'point'] as const;
export type DecimalSign = (typeof DECIMAL_SIGNS)[number];

/** A cell, and the line where it stands. */
export interface TextCell {
  readonly line: number;
  readonly text: string;
}

/** How a file writes amounts: as it was told, or as its cells show. */
export interface AmountStyle {
  /** As it was told. */
  readonly decimal?: DecimalSign | undefined;
  /** Whether decimals may have a comma at all. */
  readonly mayHaveComma: boolean;
  /** The decimal marks that stand in its amounts. */
  readonly marks: readonly (',' | '.')[];
  /** An amount such as 1.050,00: it proves that points stand between thousands. */
  readonly proof?: TextCell | undefined;
  /** Whether thousands also stand without points, as in 1050,5; then a lone 1.050 is not certain. */
  readonly isMixed: boolean;
}

const PLAIN = /^-?\d+(?:[.,]\d+)?$/;
const WITH_COMMA = /^-?(?:[1-9]\d{0,2}(?:\.\d{3})+|\d+)(?:,\d+)?$/;
const PROOF = /^-?[1-9]\d{0,2}(?:(?:\.\d{3})+,\d+|(?:\.\d{3}){2,})$/;
const THOUSANDS_OR_DECIMALS = /^-?(?:0+\d{1,3}|[1-9]\d{0,2})[.,]\d{3}$/;
const EXPONENT = /^[-+]?[\d.,]+e[-+]?\d+$/i;

/** Finds how amounts are written, by all of them: what one leaves open, another may prove. */
export function findAmountStyle(
  cells: readonly TextCell[],
  { decimal, mayHaveComma }: Pick<AmountStyle, 'decimal' | 'mayHaveComma'>,
): AmountStyle {
  const numbers = cells.map(({ line, text }) => ({ line, text: withoutCurrency(text) }));
  const proof = mayHaveComma ? numbers.find(({ text }) => PROOF.test(text)) : undefined;
  const shown = (proof ? ([','] as const) : ([',', '.'] as const)).filter((mark) =>
    numbers.some(({ text }) => text.includes(mark) && !THOUSANDS_OR_DECIMALS.test(text)),
  );
  const told = decimal === 'comma' ? (',' as const) : ('.' as const);
  const marks = decimal ? [told] : shown;
  return { decimal, mayHaveComma, proof, marks, isMixed: numbers.some(({ text }) => /^\d{4}/.test(text)) };
}

/** Reads an amount exactly; what could be two is a fault, and what is no number stays as it is. */
export function readAmount(cell: string, style: AmountStyle): Reading {
  const text = cell.trim();
  const isWithComma = WITH_COMMA.test(text);
  if (style.decimal === 'comma') {
    return isWithComma ? { value: text.replaceAll('.', '').replace(',', '.') } : { fault: texts.commaWanted };
  }
  if (style.decimal === 'point') {
    return isWithComma && text.includes(',') ? { fault: texts.pointWanted, hint: 'decimal' } : { value: text };
  }
  const number = withoutCurrency(text);
  const { proof, isMixed } = style;
  if (!proof || !/^-?\d[\d.,]*$/.test(number)) return readNumber(number, style);
  if (!WITH_COMMA.test(number)) {
    return { fault: texts.otherStyle(shorten(number), { ...proof, text: shorten(proof.text) }) };
  }
  const isUncertain = isMixed && THOUSANDS_OR_DECIMALS.test(number);
  return readNumber(isUncertain ? number : number.replaceAll('.', ''), style);
}

/** Reads digits with at most one decimal mark, which say by themselves which number they are. */
export function readNumber(text: string, { mayHaveComma }: Pick<AmountStyle, 'mayHaveComma'>): Reading {
  if (EXPONENT.test(text)) return { fault: texts.exponent };
  if (!mayHaveComma && text.includes(',') && WITH_COMMA.test(text)) return { fault: texts.noComma, hint: 'decimal' };
  if (THOUSANDS_OR_DECIMALS.test(text)) {
    const decimal = `${mayHaveComma ? text.replace('.', ',') : text}0`;
    return { fault: texts.twoNumbers(text, text.replace(/[.,]/, ''), decimal), hint: 'decimal' };
  }
  return { value: PLAIN.test(text) ? text.replace(',', '.') : text };
}

/** Shortens what is too long for an amount, so that an error stays one line. */
const shorten = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}…` : text);

/** Without the sign that currency formats of spreadsheets write, which says nothing of the number. */
const withoutCurrency = (text: string) => text.replace(/^\$\s*/, '');
