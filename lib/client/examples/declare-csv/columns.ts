import { type Declaration, DECLARATION_LIMITS } from '../../index.ts';
import { type AmountStyle, readAmount } from './read-amount.ts';
import { type DateStyle, readDate } from './read-date.ts';
import { readDecimal } from './read-decimal.ts';
import type { Reading } from './reading.ts';
import { fileTexts } from './texts/file.ts';

/** The name of a column: a property of a declaration. */
export type Column = keyof Declaration;

/** How a file writes its cells. */
export interface CellFormat {
  readonly decimalComma: boolean;
  /** Those that stand in its amounts. */
  readonly decimalMarks: readonly (',' | '.')[];
  readonly amounts: AmountStyle;
  readonly dates: DateStyle;
}

type Readers = {
  readonly [Name in Column]: (text: string, format: CellFormat) => Reading<NonNullable<Declaration[Name]>>;
};

const { invoice_id: invoiceId, amount, notes, invoice_number: invoiceNumber, tax_pct: taxPct } = DECLARATION_LIMITS;

/** The columns that a file may have, and how a cell of each is read; the bounds are those of the service. */
export const columns: Readers = {
  invoice_id: (text) => (new RegExp(invoiceId.pattern).test(text) ? { value: text } : { fault: fileTexts.digitsOnly }),
  amount: (text, { amounts }) => readAmount(text, amount.maximum, amounts),
  notes: (text) => readText(text, notes.maxLength),
  invoice_number: (text) => readText(text, invoiceNumber.maxLength),
  invoice_date: (text, { dates }) => readDate(text, dates),
  tax_pct: (text, { decimalComma }) =>
    readDecimal(text.replace(/\s*%$/, ''), { maximum: taxPct.maximum, decimalComma }),
};

/** The names of the columns, in the order of this table. */
export const columnNames = Object.keys(columns) as readonly Column[];

/** The columns that a file must have. */
export const requiredColumns: readonly Column[] = ['invoice_id', 'amount'];

function readText(text: string, maxLength: number): Reading<string> {
  // As the service counts: characters, not the halves of them that a JavaScript string has.
  return Array.from(text).length <= maxLength ? { value: text } : { fault: fileTexts.tooLong(maxLength) };
}
