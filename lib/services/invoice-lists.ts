import type { DateRange } from '../domain/date-range.ts';
import type { InvoiceRow, SupplierScope } from '../domain/invoice.ts';
import type { StateCode } from '../domain/invoice-states.ts';
import type { ListEntry } from '../domain/list-entry.ts';
import type { Fingerprint } from '../runtime/fingerprints.ts';
import type { DayIndex } from './day-index.ts';

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

/** The rows that a list is made of: a supplier's invoices in a range of sort dates, in one state or (null) in any. */
export interface RowSelection {
  readonly scope: SupplierScope;
  readonly range: DateRange;
  readonly state: StateCode | null;
  /** The position of the newest row, when it is not the newest of the range. */
  readonly newest?: string | undefined;
}

/** A day (yyyy-mm-dd): how many of its rows are selected, how many it has in all, and the fingerprint of all. */
export interface CountedDay {
  readonly day: string;
  readonly range: DateRange;
  readonly count: number;
  readonly countInAll: number;
  readonly fingerprint: Fingerprint;
}

/** A row, and what a search looks in, folded. */
export interface SearchedRow {
  readonly row: InvoiceRow;
  readonly text: string;
}

/** The rows of the lists. All are newest first; but for `dayCounts`, a range lies within one month. */
export interface InvoiceRows {
  /** The days that have or had any rows, in any order, for a range of whole days. */
  readonly dayCounts: (selection: RowSelection) => Promise<CountedDay[]>;
  readonly count: (selection: RowSelection) => Promise<number>;
  /** The newest rows, or the oldest, up to `most`. */
  readonly read: (selection: RowSelection, most: number, from?: 'newest' | 'oldest') => Promise<InvoiceRow[]>;
  /** The rows in which a folded text occurs: how many, and the newest of them up to `most`. */
  readonly search: (
    selection: RowSelection,
    text: string,
    most: number,
  ) => Promise<{ count: number; rows: InvoiceRow[] }>;
  /** What lists and searches go by of all rows of a range. */
  readonly entries: (scope: SupplierScope, range: DateRange) => Promise<ListEntry[]>;
  /** The rows at some positions, by position; where there is none, it is left out. */
  readonly at: (scope: SupplierScope, positions: readonly string[]) => Promise<Map<string, SearchedRow>>;
}

/** The indexes of days. */
export interface DayIndexes {
  /** The index of a day that this process remembers, if it is exact. */
  readonly remembered: (scope: SupplierScope, day: CountedDay) => DayIndex | undefined;
  /**
   * An index of each day, by day: remembered, or left by another process, or else of the rows as they are now. The last
   * is exact unless they changed since the day was counted (see isExact).
   */
  readonly read: (scope: SupplierScope, days: readonly CountedDay[]) => Promise<Map<string, DayIndex>>;
}

/** Where processes leave indexes for each other; it may forget, and it may fail. */
export interface DayIndexStore {
  /** The indexes of those of the days (yyyy-mm-dd) that have one. */
  readonly read: (scope: SupplierScope, days: readonly string[]) => Promise<Map<string, DayIndex>>;
  readonly write: (scope: SupplierScope, day: string, index: DayIndex) => Promise<void>;
}
