import { Big } from 'big.js';

/** What a cell says: the value to send, or what is wrong with it. */
export type Reading<Value> = { readonly value: Value } | { readonly fault: string };

const DECIMAL = /^\d+(?:(?<mark>[.,])(?<decimals>\d+))?$/;
const THOUSANDS_OR_DECIMALS = /^(?:0+\d{1,3}|[1-9]\d{0,2})[.,]\d{3}$/;
const MAX_DECIMALS = 6;

/** Reads a number from 0: digits with at most one decimal mark. What could be two numbers is a fault. */
export function readDecimal(
  text: string,
  { maximum, decimalComma }: { maximum: number; decimalComma: boolean },
): Reading<number> {
  const { mark, decimals = '' } = DECIMAL.exec(text)?.groups ?? {};
  if (!DECIMAL.test(text)) {
    return { fault: `must be a number from 0 to ${maximum}: digits, with at most one decimal mark and nothing else` };
  }
  if (mark === ',' && !decimalComma) {
    return { fault: 'must have a decimal point; a comma may be used where semicolons separate the columns' };
  }
  if (THOUSANDS_OR_DECIMALS.test(text)) {
    return { fault: `${text} may be ${text.replace(/[.,]/, '')} or ${text}0: write one of these` };
  }
  const exact = text.replace(',', '.');
  const value = Number(exact);
  if (value > maximum) return { fault: `must be at most ${maximum}` };
  // JSON's numbers are binary floats: one that would not arrive as it is written is not sent.
  if (decimals.length > MAX_DECIMALS || !new Big(value).eq(exact)) {
    return { fault: `must have at most ${MAX_DECIMALS} decimals, and 15 digits in all` };
  }
  return { value };
}
