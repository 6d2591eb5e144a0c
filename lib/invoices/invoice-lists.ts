import type { DateRange } from '../domain/date-range.ts';
import type { InvoiceRow, SupplierScope } from '../domain/invoice.ts';
import type { StateCode } from '../domain/invoice-states.ts';
import type { ListEntry } from '../domain/list-entry.ts';
import type { Fingerprint } from '../runtime/fingerprints.ts';
import type { LruCache } from '../runtime/lru-cache.ts';

/** The sources from which lists and searches read. */
export interface InvoiceLists {
  readonly rows: InvoiceRows;
  readonly indexes: DayIndexStore;
  /** The indexes that this process has cached. */
  readonly memory: LruCache<DayIndex>;
}

/** The selected rows of a supplier: a range of sort dates, and one state or (null) all states. */
export interface RowSelection {
  readonly scope: SupplierScope;
  readonly range: DateRange;
  readonly state: StateCode | null;
}

/** The counters of a day (yyyy-mm-dd) that contains rows of the selected state. */
export interface CountedDay {
  readonly day: string;
  /** The part of the day that is in the selected range. */
  readonly range: DateRange;
  /** The number of rows of the whole day in the selected state. */
  readonly count: number;
  /** The fingerprint of the entries of the whole day in all states. */
  readonly fingerprint: Fingerprint;
}

/** The reader of rows, newest first. Only `readDayCounts` accepts a range of more than one month. */
export interface InvoiceRows {
  /** The number of rows that one query can read. */
  readonly maxQueriedRows: number;
  /** Reads the counters of the days that a range touches, newest first. */
  readonly readDayCounts: (selection: RowSelection) => Promise<CountedDay[]>;
  /** Counts rows with one query. Returns null if there are too many rows. */
  readonly count: (selection: RowSelection) => Promise<number | null>;
  /** Reads the newest rows, or the rows from a position on. Reads at most `maxRows`. */
  readonly read: (selection: RowSelection, maxRows: number, fromPosition?: string) => Promise<InvoiceRow[]>;
  /** Finds the rows whose searched fields contain a folded text. */
  readonly search: (selection: RowSelection, text: string) => Promise<InvoiceRow[]>;
  readonly readEntries: (scope: SupplierScope, range: DateRange) => Promise<ListEntry[]>;
  /** Reads the rows at positions, in any order. Omits positions without a row. */
  readonly readAt: (scope: SupplierScope, positions: readonly string[]) => Promise<FoundRow[]>;
}

export interface FoundRow {
  readonly row: InvoiceRow;
  readonly entry: ListEntry;
}

/** The entries of a day. The index is current if the counters of the day have the same fingerprint. */
export interface DayIndex {
  readonly fingerprint: Fingerprint;
  /** The texts of all entries, newest first, in one text. */
  readonly text: string;
}

/** The store of the indexes that all processes share. Callers must expect that an index is lost or a call fails. */
export interface DayIndexStore {
  /** Reads the indexes of days (yyyy-mm-dd). Omits days without an index. */
  readonly read: (scope: SupplierScope, days: readonly string[]) => Promise<Map<string, DayIndex>>;
  readonly write: (scope: SupplierScope, day: string, index: DayIndex) => Promise<void>;
}
