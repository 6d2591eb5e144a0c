import { decimalProperties } from './record-schema.ts';

/** What stands before the decimals of the amounts in a CSV. */
export const DECIMAL_SIGNS = ['comma', 'point'] as const;
export type DecimalSign = (typeof DECIMAL_SIGNS)[number];

/** A row with its amounts as numbers are written in JSON, and what is wrong with how they were written. */
export interface ReadAmounts {
  readonly row: Readonly<Record<string, unknown>>;
  readonly faults: readonly string[];
}

/** A number as it is written with a decimal comma: `1.050,00`, `1050,5`, `1.050`, `1050`. */
const WITH_COMMA = /^-?(\d{1,3}(\.\d{3})+|\d+)(,\d+)?$/;

/**
 * Reads the amounts of a row. Where nobody says which sign they have, it is the point; but with columns that commas do
 * not separate, `1.050` may be either, and is refused.
 */
export function readAmounts(
  row: Readonly<Record<string, unknown>>,
  { sign, separator }: { readonly sign: DecimalSign | undefined; readonly separator: string },
): ReadAmounts {
  const faults: string[] = [];
  const read = Object.entries(row).map(([field, value]): [string, unknown] => {
    if (typeof value !== 'string' || !decimalProperties.has(field)) return [field, value];
    const text = value.trim();
    const isWithComma = WITH_COMMA.test(text);
    if (sign === 'comma' && isWithComma) return [field, text.replaceAll('.', '').replace(',', '.')];
    if (sign === 'comma') faults.push(`${field}: must be written with a decimal comma, such as 1.050,00`);
    else if (isWithComma && text.includes(','))
      faults.push(`${field}: has a decimal comma, which --decimal comma reads`);
    else if (isWithComma && text.includes('.') && sign === undefined && separator !== ',') {
      faults.push(`${field}: has a point before three digits: say --decimal comma or --decimal point`);
    }
    return [field, value];
  });
  return { row: Object.fromEntries(read), faults };
}
