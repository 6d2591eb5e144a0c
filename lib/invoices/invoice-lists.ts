import type { DateRange } from '../domain/date-range.ts';
import type { InvoiceRow, SupplierScope } from '../domain/invoice.ts';
import type { StateCode } from '../domain/invoice-states.ts';
import type { ListEntry } from '../domain/list-entry.ts';
import type { Fingerprint } from '../runtime/fingerprints.ts';
import type { LruCache } from '../runtime/lru-cache.ts';

/** The sources of lists and searches; `memory`: the indexes that this process keeps. */
export interface InvoiceLists {
  readonly rows: InvoiceRows;
  readonly indexes: DayIndexStore;
  readonly memory: LruCache<DayIndex>;
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

/** Reads the rows of lists, newest first. Except in `readDayCounts`, a range is within one month. */
export interface InvoiceRows {
  /** Reads the days that have or had rows in a range of whole days, in any order. */
  readonly readDayCounts: (selection: RowSelection) => Promise<CountedDay[]>;
  readonly count: (selection: RowSelection) => Promise<number>;
  /** Reads up to `most` of the newest rows. */
  readonly read: (selection: RowSelection, most: number) => Promise<InvoiceRow[]>;
  /** Finds the rows that contain a folded text. */
  readonly search: (selection: RowSelection, text: string) => Promise<InvoiceRow[]>;
  readonly readEntries: (scope: SupplierScope, range: DateRange) => Promise<ListEntry[]>;
  /** Reads the rows at positions, with their folded texts, by position; positions without a row are left out. */
  readonly readAt: (
    scope: SupplierScope,
    positions: readonly string[],
  ) => Promise<Map<string, { readonly row: InvoiceRow; readonly text: string }>>;
}

/**
 * The search index of a supplier's day: its entries, newest first. It is exact while its fingerprint equals the one of
 * the day in the counters.
 */
export interface DayIndex {
  readonly fingerprint: Fingerprint;
  readonly entries: readonly ListEntry[];
}

/** The store of indexes that processes share; it can lose indexes, and it can fail. */
export interface DayIndexStore {
  /** Reads the indexes of days (yyyy-mm-dd); days without an index are left out. */
  readonly read: (scope: SupplierScope, days: readonly string[]) => Promise<Map<string, DayIndex>>;
  readonly write: (scope: SupplierScope, day: string, index: DayIndex) => Promise<void>;
}
