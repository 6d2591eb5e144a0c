import { type Declaration, DECLARATION_LIMITS } from '../../index.ts';
import { isDate } from './is-date.ts';
import { readDecimal, type Reading } from './read-decimal.ts';

/** The name of a column: a property of a declaration. */
export type Column = keyof Declaration;

/** How a file writes its cells. */
export interface CellFormat {
  readonly decimalComma: boolean;
}

type Readers = {
  readonly [Name in Column]: (text: string, format: CellFormat) => Reading<NonNullable<Declaration[Name]>>;
};

const { invoice_id: invoiceId, amount, notes, invoice_number: invoiceNumber, tax_pct: taxPct } = DECLARATION_LIMITS;

/** The columns that a file may have, and how a cell of each is read; the bounds are those of the service. */
export const columns: Readers = {
  invoice_id: (text) => (new RegExp(invoiceId.pattern).test(text) ? { value: text } : { fault: 'must be digits only' }),
  amount: (text, format) => readDecimal(text, { maximum: amount.maximum, ...format }),
  notes: (text) => readText(text, notes.maxLength),
  invoice_number: (text) => readText(text, invoiceNumber.maxLength),
  invoice_date: (text) =>
    isDate(text) ? { value: text } : { fault: 'must be an ISO 8601 date or date-time, like 2026-08-28' },
  tax_pct: (text, format) => readDecimal(text, { maximum: taxPct.maximum, ...format }),
};

/** The columns that a file must have. */
export const requiredColumns: readonly Column[] = ['invoice_id', 'amount'];

function readText(text: string, maxLength: number): Reading<string> {
  // As the service counts: characters, not the halves of them that a JavaScript string has.
  return Array.from(text).length <= maxLength
    ? { value: text }
    : { fault: `must have at most ${maxLength} characters` };
}
