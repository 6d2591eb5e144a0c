import type { CountedRange } from '../domain/day-counts.ts';
import type { DateRange } from '../domain/date-range.ts';
import type { InvoiceRow, SupplierScope } from '../domain/invoice.ts';
import type { StateCode } from '../domain/invoice-states.ts';
import type { ListEntry } from '../domain/list-entry.ts';
import type { Fingerprint } from '../runtime/fingerprints.ts';

/** The rows that a list is made of: a supplier's invoices in a range of sort dates, in one state or (null) in any. */
export interface RowSelection {
  readonly scope: SupplierScope;
  readonly range: DateRange;
  readonly state: StateCode | null;
  /** The place of the newest row, when it is not the newest of the range. */
  readonly newestPlace?: string;
}

/** A day (yyyy-mm-dd): how many rows are selected, how many it has in all, and the fingerprint of all. */
export interface CountedDay extends CountedRange {
  readonly day: string;
  readonly rows: number;
  readonly fingerprint: Fingerprint;
}

/** A row, and what a search looks in, folded. */
export interface SearchedRow {
  readonly row: InvoiceRow;
  readonly text: string;
}

/** The rows of the lists. All are newest first; but for `dayCounts`, a range lies within one month. */
export interface InvoiceRows {
  /** The days that have or had any rows, for a range of whole days. */
  readonly dayCounts: (selection: RowSelection) => Promise<CountedDay[]>;
  readonly count: (selection: RowSelection) => Promise<number>;
  /** The newest rows, or the oldest, up to `most`. */
  readonly read: (selection: RowSelection, most: number, from?: 'newest' | 'oldest') => Promise<InvoiceRow[]>;
  /** The rows in which the text occurs: how many, and the newest of them up to `most`. */
  readonly search: (
    selection: RowSelection,
    text: string,
    most: number,
  ) => Promise<{ count: number; rows: InvoiceRow[] }>;
  /** What lists and searches go by of all rows of a range. */
  readonly entries: (scope: SupplierScope, range: DateRange) => Promise<ListEntry[]>;
  /** The rows at some places, by place; where there is none, it is left out. */
  readonly at: (scope: SupplierScope, places: readonly string[]) => Promise<Map<string, SearchedRow>>;
}
