import type { DateRange } from '../domain/date-range.ts';
import type { InvoiceRow, SupplierScope } from '../domain/invoice.ts';
import type { StateCode } from '../domain/invoice-states.ts';
import type { ListEntry } from '../domain/list-entry.ts';
import type { Fingerprint } from '../runtime/fingerprints.ts';
import type { LruCache } from '../runtime/lru-cache.ts';

/** The sources of lists and searches. */
export interface InvoiceLists {
  readonly rows: InvoiceRows;
  readonly indexes: DayIndexStore;
  /** The indexes that this process has cached. */
  readonly memory: LruCache<DayIndex>;
}

/** The rows of a list: a supplier's invoices in a range of sort dates, in one state or (null) in any state. */
export interface RowSelection {
  readonly scope: SupplierScope;
  readonly range: DateRange;
  readonly state: StateCode | null;
}

/** A day (yyyy-mm-dd). `count` includes the rows in the selected state, `countInAll` and `fingerprint` all rows. */
export interface CountedDay {
  readonly day: string;
  readonly range: DateRange;
  readonly count: number;
  readonly countInAll: number;
  readonly fingerprint: Fingerprint;
}

/** The reader of the rows of lists, newest first. A range is within one month, except for `readDayCounts`. */
export interface InvoiceRows {
  /** Reads the days that have or had rows in a range of whole days, in any order. */
  readonly readDayCounts: (selection: RowSelection) => Promise<CountedDay[]>;
  readonly count: (selection: RowSelection) => Promise<number>;
  /** Reads up to `maxRows` of the newest rows. */
  readonly read: (selection: RowSelection, maxRows: number) => Promise<InvoiceRow[]>;
  /** Finds the rows whose searched fields contain a folded text. */
  readonly search: (selection: RowSelection, text: string) => Promise<InvoiceRow[]>;
  readonly readEntries: (scope: SupplierScope, range: DateRange) => Promise<ListEntry[]>;
  /** Reads the rows at positions, with their folded texts, by position. Omits positions without a row. */
  readonly readAt: (
    scope: SupplierScope,
    positions: readonly string[],
  ) => Promise<Map<string, { readonly row: InvoiceRow; readonly text: string }>>;
}

/** The entries of a day, newest first. They are exact if the fingerprint equals the fingerprint of the CountedDay. */
export interface DayIndex {
  readonly fingerprint: Fingerprint;
  readonly entries: readonly ListEntry[];
}

/** The store of the indexes that processes share. It can lose indexes, and it can fail. */
export interface DayIndexStore {
  /** Reads the indexes of days (yyyy-mm-dd). Omits days without an index. */
  readonly read: (scope: SupplierScope, days: readonly string[]) => Promise<Map<string, DayIndex>>;
  readonly write: (scope: SupplierScope, day: string, index: DayIndex) => Promise<void>;
}
