import type { Reading } from './spreadsheet-error.ts';
import { texts } from './spreadsheet-texts.ts';

export const DECIMAL_SIGNS = ['comma', 'point'] as const;
export type DecimalSign = (typeof DECIMAL_SIGNS)[number];

/** An amount in a cell, without its currency. The first line of a file is 1. */
interface AmountText {
  readonly line: number;
  readonly text: string;
}

/** The style in which a file writes amounts as text. */
export interface AmountStyle {
  /** The decimal sign that the user has chosen. */
  readonly decimal?: DecimalSign | undefined;
  /** False in a CSV that is separated by commas. */
  readonly allowsDecimalComma: boolean;
  /** An amount such as 1.050,00, which proves that points separate thousands. */
  readonly proof?: AmountText | undefined;
  /** True if some thousands have no point, as in 1050,5; then 1.050 is ambiguous. */
  readonly isMixed: boolean;
}

// A number without marks between thousands: 1050, -3.5, 640,50.
const PLAIN_NUMBER = /^-?\d+(?:[.,]\d+)?$/;
// A number with a decimal comma, and perhaps points between thousands: 1.050,00, 1.050, 1050,5.
const COMMA_NUMBER = /^-?(?:[1-9]\d{0,2}(?:\.\d{3})+|\d+)(?:,\d+)?$/;
// A number whose points can only separate thousands: 1.050,00, 1.050.000.
const THOUSANDS_PROOF = /^-?[1-9]\d{0,2}(?:(?:\.\d{3})+,\d+|(?:\.\d{3}){2,})$/;
// A number whose mark can separate thousands or decimals: 1.050, 01,050.
const THOUSANDS_OR_DECIMALS = /^-?(?:0+\d{1,3}|[1-9]\d{0,2})[.,]\d{3}$/;
// A number with an exponent: 1,05E+12.
const EXPONENT = /^[-+]?[\d.,]+e[-+]?\d+$/i;
// Four digits without a mark between thousands, as in 1050,5.
const FOUR_DIGITS = /^\d{4}/;
// Digits with any marks: 1.050,00, 1,2.3.
const DIGITS_AND_MARKS = /^-?\d[\d.,]*$/;

const MAX_PROOF_LENGTH = 40;

/** Finds the style of the amounts of a file from all of them, because one amount can prove how another is meant. */
export function findAmountStyle(
  cells: readonly AmountText[],
  { decimal, allowsDecimalComma }: Pick<AmountStyle, 'decimal' | 'allowsDecimalComma'>,
): AmountStyle {
  const amounts = cells.map(({ line, text }) => ({ line, text: removeCurrency(text) }));
  const needsProof = allowsDecimalComma && !decimal;
  const proof = needsProof ? amounts.find(({ text }) => THOUSANDS_PROOF.test(text)) : undefined;
  const isMixed = amounts.some(({ text }) => FOUR_DIGITS.test(text));
  return { decimal, allowsDecimalComma, proof, isMixed };
}

/** Reads an amount exactly. An ambiguous text is an error, and a text that is not a number is returned unchanged. */
export function readAmount(text: string, style: AmountStyle): Reading {
  const { decimal, proof, isMixed } = style;
  const number = removeCurrency(text);
  if (decimal === 'comma') {
    if (!COMMA_NUMBER.test(number)) return { error: texts.commaWanted };
    return { value: number.replaceAll('.', '').replace(',', '.') };
  }
  if (decimal === 'point') {
    return hasDecimalComma(number) ? { error: texts.pointWanted, hint: 'decimal' } : { value: number };
  }
  if (!proof || !DIGITS_AND_MARKS.test(number)) return readNumber(number, style);
  if (!COMMA_NUMBER.test(number)) return { error: texts.otherStyle(proof.text.slice(0, MAX_PROOF_LENGTH), proof.line) };
  const isAmbiguous = isMixed && THOUSANDS_OR_DECIMALS.test(number);
  return readNumber(isAmbiguous ? number : number.replaceAll('.', ''), style);
}

/** Reads digits with at most one decimal mark. An ambiguous text such as 1.050 is an error. */
export function readNumber(text: string, { allowsDecimalComma }: AmountStyle): Reading {
  if (EXPONENT.test(text)) return { error: texts.exponent };
  if (hasDecimalComma(text) && !allowsDecimalComma) return { error: texts.noComma, hint: 'decimal' };
  if (THOUSANDS_OR_DECIMALS.test(text)) {
    const whole = text.replace(/[.,]/, '');
    const decimal = allowsDecimalComma ? text.replace('.', ',') : text;
    return { error: texts.ambiguous(whole, `${decimal}0`), hint: 'decimal' };
  }
  return { value: PLAIN_NUMBER.test(text) ? text.replace(',', '.') : text };
}

const hasDecimalComma = (text: string) => text.includes(',') && COMMA_NUMBER.test(text);

const removeCurrency = (text: string) => text.trim().replace(/^\$\s*/, '');
