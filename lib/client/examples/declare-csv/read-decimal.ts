import { Big } from 'big.js';
import type { Reading } from './reading.ts';
import { fileTexts } from './texts/file.ts';

const DECIMAL = /^\d+(?:(?<mark>[.,])(?<decimals>\d+))?$/;
const THOUSANDS_OR_DECIMALS = /^(?:0+\d{1,3}|[1-9]\d{0,2})[.,]\d{3}$/;
const POINTS_AND_COMMA = /^\d{1,3}(?:\.\d{3})+,\d+$/;
const MAX_DECIMALS = 6;

/** Reads a number from 0: digits with at most one decimal mark. What could be two numbers is a fault. */
export function readDecimal(
  text: string,
  { maximum, decimalComma }: { maximum: number; decimalComma: boolean },
): Reading<number> {
  const { mark, decimals = '' } = DECIMAL.exec(text)?.groups ?? {};
  if (!decimalComma && (mark === ',' || POINTS_AND_COMMA.test(text))) return { fault: fileTexts.noComma };
  if (!DECIMAL.test(text)) return { fault: fileTexts.noNumber(maximum) };
  if (THOUSANDS_OR_DECIMALS.test(text)) {
    const decimal = `${decimalComma ? text.replace('.', ',') : text}0`;
    return { fault: fileTexts.twoNumbers(text, text.replace(/[.,]/, ''), decimal) };
  }
  const exact = text.replace(',', '.');
  const value = Number(exact);
  if (value > maximum) return { fault: fileTexts.tooMuch(maximum) };
  // JSON's numbers are binary floats: one that would not arrive as it is written is not sent.
  if (decimals.length > MAX_DECIMALS || !new Big(value).eq(exact)) {
    return { fault: fileTexts.tooPrecise(MAX_DECIMALS) };
  }
  return { value };
}
