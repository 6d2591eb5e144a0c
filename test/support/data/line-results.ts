import type { LineResult } from '../../../lib/declare-csv/declare-lines.ts';
import type { InvoiceLine } from '../../../lib/declare-csv/read-invoices.ts';

/** Builds the results of the lines of a file: their amounts with their results, for the invoices from 9001 on. */
export const buildResults = (
  entries: readonly (readonly [amount: number, result: Omit<LineResult, keyof InvoiceLine>])[],
) =>
  entries.map(([amount, result], index): LineResult => {
    return { line: index + 2, declaration: { invoice_id: `${9001 + index}`, amount }, ...result };
  });

const tolerance = { action: 'AUTO_APPROVE', difference: -0.000001, difference_pct: -1.5 } as const;

const approved = { outcome: 'approved', tolerance, requestId: 'request-1' } as const;
export const NOT_FOUND = { code: 'NOT_FOUND', message: 'Not "here"; gone.' };
/** Results with each kind of outcome. */
export const RESULTS = buildResults([
  [0.1, { ...approved, declarationId: '77' }],
  [0.2, { ...approved, declarationId: '78' }],
  [1050, { outcome: 'rejected', error: NOT_FOUND, requestId: 'request-2' }],
  [999_999_999_999.99, { outcome: 'unknown' }],
  [0.000_001, { outcome: 'not_declared' }],
]);
