import type { SupplierScope } from '../../domain/invoice.ts';
import type { Fingerprint } from '../../runtime/fingerprints.ts';

/** A row of an invoice in a list. */
export interface AuditedRow {
  readonly pk: string;
  readonly sk: string;
  readonly invoiceId: string;
  /** The day (yyyy-mm-dd) of its partition in whose lists it stands. */
  readonly day: string;
  /** Of its key and all that it holds. */
  readonly fingerprint: Fingerprint;
}

/** A row that is not as its invoice says: it is not there, it must not be there, or it holds something else. */
export interface WrongRow extends AuditedRow {
  readonly fault: 'missing' | 'stray' | 'differing';
  /** The list in which it stands: `all`, or a state. */
  readonly list: string;
  /** The sort date by which it stands there. */
  readonly date: string;
  /** What the row must hold; null when there must be none. */
  readonly right: object | null;
  /** The version of the invoice that says so; null when there is no such invoice. */
  readonly version: number | null;
}

/** The rows of invoices in lists, as an audit reads and repairs them; strongly consistent. */
export interface RowAudit {
  /** The rows that a supplier's invoices must have, page by page. */
  readonly due: (scope: SupplierScope) => AsyncIterable<readonly AuditedRow[]>;
  /** The rows that are in a month (yyyy-mm), page by page. */
  readonly stored: (scope: SupplierScope, month: string) => AsyncIterable<readonly AuditedRow[]>;
  /** Those of some distinct rows that seem wrong; an invoice that is just being changed may make them seem so. */
  readonly compare: (scope: SupplierScope, rows: readonly AuditedRow[]) => Promise<WrongRow[]>;
  /** Compares a row with its invoice as both are at one moment; null: it is right, `busy`: it is just being changed. */
  readonly compareExactly: (scope: SupplierScope, row: AuditedRow) => Promise<WrongRow | 'busy' | null>;
  /** Rewrites a row as its invoice says; false, and nothing is written, when the invoice has changed meanwhile. */
  readonly repair: (scope: SupplierScope, row: WrongRow) => Promise<boolean>;
}

/**
 * The numbers of a month by name: `07PEN` is how many invoices of the 7th are in state PEN, `07` the fingerprint of all
 * of them.
 */
export type MonthCounts = ReadonlyMap<string, number>;

/** A month's counters as they are stored: their sums, and how often each shard was changed (0: never). */
export interface StoredCounters {
  readonly sums: MonthCounts;
  readonly changes: readonly number[];
}

/** The day counters of suppliers, as an audit reads and repairs them; months are yyyy-mm. Strongly consistent. */
export interface CounterAudit {
  /** The months that have counters, oldest first. The service never deletes counters. */
  readonly months: (scope: SupplierScope) => Promise<string[]>;
  readonly read: (scope: SupplierScope, month: string) => Promise<StoredCounters>;
  /** Counts the rows of a month; where rows are distrusted, it counts the invoices with these ids themselves. */
  readonly recount: (scope: SupplierScope, month: string, distrusted: ReadonlySet<string>) => Promise<MonthCounts>;
  /** Adds to the counters; false, and nothing is written, when one of the month has changed since it was read. */
  readonly correct: (
    scope: SupplierScope,
    month: string,
    asRead: StoredCounters,
    corrections: MonthCounts,
  ) => Promise<boolean>;
}
