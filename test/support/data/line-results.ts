import type { LineResult } from '../../../lib/declare-csv/declare-lines.ts';
import type { InvoiceLine } from '../../../lib/declare-csv/read-invoices.ts';

/** Builds the results of the lines of a file: their amounts with their results, for the invoices from 9001 on. */
export const buildResults = (
  entries: readonly (readonly [amount: number, result: Omit<LineResult, keyof InvoiceLine>])[],
) =>
  entries.map(([amount, result], index): LineResult => {
    return { line: index + 2, declaration: { invoice_id: `${9001 + index}`, amount }, ...result };
  });
