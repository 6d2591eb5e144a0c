import type { DateRange } from '../domain/date-range.ts';
import type { InvoiceRow, SupplierScope } from '../domain/invoice.ts';
import type { StateCode } from '../domain/invoice-states.ts';
import type { ListEntry } from '../domain/list-entry.ts';
import type { Fingerprint } from '../runtime/fingerprints.ts';
import type { DayIndex } from './day-index.ts';

export interface InvoiceLists {
  readonly rows: InvoiceRows;
  readonly indexes: DayIndexes;
}

/** One page of a list, with the number of all matching rows. */
export interface InvoicePage {
  readonly rows: readonly InvoiceRow[];
  readonly total: number;
}

/** The rows of a list: a supplier's invoices in a range of sort dates, in one state or (null) in any. */
export interface RowSelection {
  readonly scope: SupplierScope;
  readonly range: DateRange;
  readonly state: StateCode | null;
}

/** A day (yyyy-mm-dd) with the number of selected rows, the number of all rows, and the fingerprint of all rows. */
export interface CountedDay {
  readonly day: string;
  readonly range: DateRange;
  readonly count: number;
  readonly countInAll: number;
  readonly fingerprint: Fingerprint;
}

/** A row with the folded text in which a search looks. */
export interface SearchedRow {
  readonly row: InvoiceRow;
  readonly text: string;
}

/** Reads the rows of lists, newest first. Except in `dayCounts`, a range is within one month. */
export interface InvoiceRows {
  /** Reads the days that have or had rows in a range of whole days, in any order. */
  readonly dayCounts: (selection: RowSelection) => Promise<CountedDay[]>;
  readonly count: (selection: RowSelection) => Promise<number>;
  /** Reads up to `most` of the newest or the oldest rows. */
  readonly read: (selection: RowSelection, most: number, from?: 'newest' | 'oldest') => Promise<InvoiceRow[]>;
  /** Finds the rows that contain a folded text: their number, and up to `most` of the newest. */
  readonly search: (
    selection: RowSelection,
    text: string,
    most: number,
  ) => Promise<{ count: number; rows: InvoiceRow[] }>;
  readonly entries: (scope: SupplierScope, range: DateRange) => Promise<ListEntry[]>;
  /** Reads the rows at positions, by position; positions without a row are left out. */
  readonly at: (scope: SupplierScope, positions: readonly string[]) => Promise<Map<string, SearchedRow>>;
}

/**
 * Reads an index of each day, by day: from the cache, from the table of indexes, or else built from the current rows. A
 * new index is exact unless the rows changed after the day was counted (see `isCurrentIndex`).
 */
export interface DayIndexes {
  readonly read: (scope: SupplierScope, days: readonly CountedDay[]) => Promise<Map<string, DayIndex>>;
}

/** The store of indexes that processes share; it can lose indexes, and it can fail. */
export interface DayIndexStore {
  /** Reads the indexes of days (yyyy-mm-dd); days without an index are left out. */
  readonly read: (scope: SupplierScope, days: readonly string[]) => Promise<Map<string, DayIndex>>;
  readonly write: (scope: SupplierScope, day: string, index: DayIndex) => Promise<void>;
}
