import { readDecimal } from './read-decimal.ts';
import type { Reading } from './reading.ts';
import { fileTexts } from './texts/file.ts';

/** A cell of a column, and the line where it stands. */
export interface Cell {
  readonly line: number;
  readonly text: string;
}

/** How a column writes amounts. */
export interface AmountStyle {
  readonly decimalComma: boolean;
  /** An amount such as 1.050,00: it proves that points stand between thousands. */
  readonly proof?: Cell;
  /** Whether thousands also stand without points, as in 1050,5; then a lone 1.050 is not certain. */
  readonly isMixed?: boolean;
}

const NUMBER = /^\d[\d.,]*$/;
const WITH_COMMA_DECIMALS = /^(?:[1-9]\d{0,2}(?:\.\d{3})+|\d+)(?:,\d+)?$/;
const PROOF = /^[1-9]\d{0,2}(?:(?:\.\d{3})+,\d+|(?:\.\d{3}){2,})$/;
const LONE_POINT = /^[1-9]\d{0,2}\.\d{3}$/;

/** An amount without the sign that currency formats of spreadsheets write, which says nothing of the number. */
export const withoutSign = (text: string): string => text.replace(/^\$\s*/, '');

/** Finds how a column writes amounts; without a comma for decimals there are no points of thousands. */
export function judgeAmounts(
  cells: readonly Cell[],
  { decimalComma }: { readonly decimalComma: boolean },
): AmountStyle {
  if (!decimalComma) return { decimalComma };
  const numbers = cells.map(({ line, text }) => ({ line, text: withoutSign(text) }));
  const proof = numbers.find(({ text }) => PROOF.test(text));
  if (!proof) return { decimalComma };
  return { decimalComma, proof, isMixed: numbers.some(({ text }) => /^\d{4}/.test(text)) };
}

/** Reads an amount; where points stand between thousands, one that is written in another way is a fault. */
export function readAmount(cell: string, maximum: number, style: AmountStyle): Reading<number> {
  const { decimalComma, proof, isMixed } = style;
  const text = decimalComma ? withoutSign(cell) : cell;
  if (!proof || !NUMBER.test(text)) return readDecimal(text, { maximum, decimalComma });
  if (!WITH_COMMA_DECIMALS.test(text)) return { fault: fileTexts.otherStyle(text, proof) };
  const isCertain = !(isMixed && LONE_POINT.test(text));
  return readDecimal(isCertain ? text.replaceAll('.', '') : text, { maximum, decimalComma });
}
