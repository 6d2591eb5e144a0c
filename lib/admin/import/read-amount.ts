import type { Cell } from './cell.ts';

/** What stands before the decimals of the amounts in a CSV. */
export const DECIMAL_SIGNS = ['comma', 'point'] as const;
export type DecimalSign = (typeof DECIMAL_SIGNS)[number];

/** A number as it is written with a decimal comma: `1.050,00`, `1050,5`, `1.050`, `1050`. */
const WITH_COMMA = /^-?(\d{1,3}(\.\d{3})+|\d+)(,\d+)?$/;

/**
 * Reads an amount as numbers are written in JSON. Where nobody says which sign it has, it is the point; but with
 * columns that commas do not separate, `1.050` may be either, and is refused.
 */
export function readAmount(cell: string, sign: DecimalSign | undefined, separator: string): Cell {
  const text = cell.trim();
  const isWithComma = WITH_COMMA.test(text);
  if (sign === 'comma') {
    if (isWithComma) return { text: text.replaceAll('.', '').replace(',', '.') };
    return { text: cell, fault: 'must be written with a decimal comma, such as 1.050,00' };
  }
  if (isWithComma && text.includes(',')) {
    return { text: cell, fault: 'has a decimal comma, which --decimal comma reads' };
  }
  if (isWithComma && text.includes('.') && sign === undefined && separator !== ',') {
    return { text: cell, fault: 'has a point before three digits: say --decimal comma or --decimal point' };
  }
  return { text: cell };
}
