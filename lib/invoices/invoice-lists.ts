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

/** A day (yyyy-mm-dd) with its counts. `count` counts the selected state, and `countInAll` all states. */
export interface CountedDay {
  readonly day: string;
  readonly range: DateRange;
  readonly count: number;
  readonly countInAll: number;
  /** The fingerprint of the entries in all states. */
  readonly fingerprint: Fingerprint;
}

/** The reader of rows, newest first. Only `readDayCounts` accepts a range of more than one month. */
export interface InvoiceRows {
  /** Reads the counts of the days in a range of whole days, in any order. Omits days that never had rows. */
  readonly readDayCounts: (selection: RowSelection) => Promise<CountedDay[]>;
  readonly count: (selection: RowSelection) => Promise<number>;
  /** Reads the newest rows, at most `maxRows`. */
  readonly read: (selection: RowSelection, maxRows: number) => Promise<InvoiceRow[]>;
  /** Finds the rows whose searched fields contain a folded text. */
  readonly search: (selection: RowSelection, text: string) => Promise<InvoiceRow[]>;
  readonly readEntries: (scope: SupplierScope, range: DateRange) => Promise<ListEntry[]>;
  /** Reads the rows at positions, with their searched texts, by position. Omits positions without a row. */
  readonly readAt: (
    scope: SupplierScope,
    positions: readonly string[],
  ) => Promise<Map<string, { readonly row: InvoiceRow; readonly text: string }>>;
}

/** The entries of a day, newest first. The index is current if the CountedDay has the same fingerprint. */
export interface DayIndex {
  readonly fingerprint: Fingerprint;
  readonly entries: readonly ListEntry[];
}

/** The store of the indexes that all processes share. Callers must expect that an index is lost or a call fails. */
export interface DayIndexStore {
  /** Reads the indexes of days (yyyy-mm-dd). Omits days without an index. */
  readonly read: (scope: SupplierScope, days: readonly string[]) => Promise<Map<string, DayIndex>>;
  readonly write: (scope: SupplierScope, day: string, index: DayIndex) => Promise<void>;
}
