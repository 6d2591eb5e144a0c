import type { Cell } from './cell.ts';
import { type DecimalSign, readAmount } from './read-amount.ts';
import { readDate } from './read-date.ts';
import { dateProperties, decimalProperties } from './record-schema.ts';

/** How a CSV writes what JSON writes in one way only. */
export interface CellStyle {
  /** How amounts are written: `1.050,00` or `1050.00`. */
  readonly decimal?: DecimalSign | undefined;
  /** Whether dates have their day first: `24/08/2026`. */
  readonly dayFirst?: boolean | undefined;
}

/** A row with its cells as JSON would say them, and what is wrong with how they were written. */
export interface ReadRow {
  readonly row: Readonly<Record<string, unknown>>;
  readonly faults: readonly string[];
}

/** Reads the amounts and the dates of a row, by field. */
export function readCells(
  row: Readonly<Record<string, string | null>>,
  { decimal, dayFirst = false }: CellStyle,
  separator: string,
): ReadRow {
  const faults: string[] = [];
  const readCell = (field: string, value: string): Cell => {
    if (decimalProperties.has(field)) return readAmount(value, decimal, separator);
    return dateProperties.has(field) ? readDate(value, dayFirst) : { text: value };
  };
  const read = Object.entries(row).map(([field, value]): [string, string | null] => {
    if (value === null) return [field, value];
    const { text, fault } = readCell(field, value);
    if (fault !== undefined) faults.push(`${field}: ${fault}`);
    return [field, text];
  });
  return { row: Object.fromEntries(read), faults };
}
