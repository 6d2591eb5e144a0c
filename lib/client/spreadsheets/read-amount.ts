import type { Reading } from './spreadsheet-error.ts';
import { texts } from './spreadsheet-texts.ts';

export const DECIMAL_SIGNS = ['comma', 'point'] as const;

/** The style in which a file writes numbers as text. */
export interface NumberStyle {
  /** The decimal sign that the user has chosen. If it is undefined, the decimal sign of each text must be unambiguous. */
  readonly decimal?: (typeof DECIMAL_SIGNS)[number] | undefined;
  /** False in a CSV that is separated by commas. */
  readonly allowsDecimalComma: boolean;
}

// A number without marks between thousands: 1050, -3.5, 640,50.
const PLAIN_NUMBER = /^-?\d+(?:[.,]\d+)?$/;
// A number with a decimal comma, and perhaps points between thousands: 1.050,00, 1.050, 1050,5.
const COMMA_NUMBER = /^-?(?:[1-9]\d{0,2}(?:\.\d{3})+|\d+)(?:,\d+)?$/;
// A number whose points can only separate thousands: 1.050,00, 1.050.000.
const NUMBER_WITH_THOUSANDS = /^-?[1-9]\d{0,2}(?:(?:\.\d{3})+,\d+|(?:\.\d{3}){2,})$/;
// A number whose mark can separate thousands or decimals: 1.050, 01,050.
const THOUSANDS_OR_DECIMALS = /^-?(?:0+\d{1,3}|[1-9]\d{0,2})[.,]\d{3}$/;
// A number with an exponent: 1,05E+12.
const EXPONENT = /^[-+]?[\d.,]+e[-+]?\d+$/i;

/** Reads an amount exactly. An ambiguous text is an error, and a text that is not a number is returned unchanged. */
export function readAmount(text: string, style: NumberStyle): Reading {
  const number = text.replace(/^\$\s*/, '');
  if (style.decimal === 'comma') {
    return COMMA_NUMBER.test(number) ? { value: convertCommaNumber(number) } : { error: texts.commaWanted };
  }
  if (style.decimal === 'point') {
    return hasDecimalComma(number) ? { error: texts.pointWanted, hint: 'decimal' } : { value: number };
  }
  const hasThousands = NUMBER_WITH_THOUSANDS.test(number) && style.allowsDecimalComma;
  return hasThousands ? { value: convertCommaNumber(number) } : readNumber(number, style);
}

/** Reads digits with at most one decimal mark. An ambiguous text such as 1.050 is an error. */
export function readNumber(text: string, { allowsDecimalComma }: NumberStyle): Reading {
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

const convertCommaNumber = (number: string) => number.replaceAll('.', '').replace(',', '.');
