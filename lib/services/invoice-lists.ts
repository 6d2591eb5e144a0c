import type { InvoiceRow } from '../domain/invoice.ts';
import type { DayIndexes } from './day-indexes.ts';
import type { InvoiceRows } from './invoice-rows.ts';

/** What lists are made of. */
export interface InvoiceLists {
  readonly rows: InvoiceRows;
  readonly indexes: DayIndexes;
}

/** One page of a list, and how many rows match in all. */
export interface InvoicePage {
  readonly rows: readonly InvoiceRow[];
  readonly total: number;
}
