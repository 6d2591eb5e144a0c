import type { DateRange } from '../../domain/date-range.ts';
import type { DeclarationRevision } from '../../domain/declaration.ts';
import type { StateChange } from '../../domain/invoice-state-change.ts';
import type { StateCode } from '../../domain/invoice-states.ts';
import type { Invoice, InvoiceRow, SupplierScope } from '../../domain/invoice.ts';
import type { Fingerprint } from '../../runtime/fingerprints.ts';
import type {
  Commit,
  InvoiceChange,
  LogPosition,
  TransactionCost,
  TransactionLimits,
} from '../../services/transactions.ts';
import type { DirectoryRecords } from './directory-records.ts';

/** The data of an installation, as the use cases of operators reach them. */
export interface AdminPorts {
  /** The records of tenants, companies, suppliers, users and API keys. */
  readonly records: DirectoryRecords;
  /** The failed logins of accounts. */
  readonly accountLocks: AccountLocks;
  readonly invoices: InvoiceReader;
  readonly invoiceWriter: InvoiceWriter;
  readonly declarations: DeclarationHistories;
  readonly declarationLog: DeclarationLog;
  /** The keys of all declarations of a supplier, at most 100 at a time. */
  readonly revisionKeys: (scope: SupplierScope) => AsyncIterable<readonly RevisionKey[]>;
  /** The ids of a supplier's invoices that begin with a zero, or that do not, page by page; strongly consistent. */
  readonly invoiceIds: (scope: SupplierScope, range: IdRange) => AsyncIterable<readonly string[]>;
  /** A supplier's invoices of a month as the lists have them, oldest first, page by page; strongly consistent. */
  readonly listedInvoices: (scope: SupplierScope, wanted: ListedMonth) => AsyncIterable<readonly ListedInvoice[]>;
  /** The state changes of an invoice, oldest first. */
  readonly stateChanges: (scope: SupplierScope, invoiceId: string) => Promise<StateChange[]>;
  /** The rows of invoices in lists, and what they must be. */
  readonly rows: RowAudit;
  /** The day counters, and what they count. */
  readonly counters: CounterAudit;
  /** The password of the demo's accounts, which no rule refuses; only on this machine. */
  readonly demoPassword?: string | undefined;
}

/** The failed logins by which an account is locked for sources that it does not trust. */
export interface AccountLocks {
  /** Counts the failures of the current window, strongly consistent. */
  readonly countFailures: (tenant: string, userId: string) => Promise<number>;
  /** Clears the failures of the current window. */
  readonly clearFailures: (tenant: string, userId: string) => Promise<void>;
}

/** A part of the ids of a supplier: those that begin with a zero, or all others. */
export type IdRange = 'withZeros' | 'withoutZeros';

/** Which invoices of a month (yyyy-mm, UTC): those of a range of sort dates, in one state or (null) in any. */
export interface ListedMonth {
  readonly month: string;
  readonly range: DateRange;
  readonly state: StateCode | null;
}

/** An invoice as a list has it, with the date by which it stands there (ISO 8601 UTC, milliseconds). */
export interface ListedInvoice extends InvoiceRow {
  readonly sortDate: string;
}

/** An invoice, and whose it is. */
export interface OwnedInvoice {
  readonly scope: SupplierScope;
  readonly invoice: Invoice;
}

/** Reads invoices by id, strongly consistent. */
export interface InvoiceReader {
  /** Invoices by id; those that do not exist are left out. */
  readonly getMany: (scope: SupplierScope, invoiceIds: readonly string[]) => Promise<Map<string, Invoice>>;
  /** The invoices of one id that suppliers have, in any order. */
  readonly getOfEach: (scopes: readonly SupplierScope[], invoiceId: string) => Promise<OwnedInvoice[]>;
}

/** Which entry of a supplier's declaration history. */
export interface RevisionKey {
  readonly invoiceId: string;
  readonly revision: number;
}

/** A declaration, and whose it is. */
export interface OwnedRevision {
  readonly scope: SupplierScope;
  readonly revision: DeclarationRevision;
}

/** Reads declaration histories, strongly consistent. */
export interface DeclarationHistories {
  /** All declarations of an invoice, oldest first. */
  readonly history: (scope: SupplierScope, invoiceId: string) => Promise<DeclarationRevision[]>;
  /** The declarations of distinct keys, in any order; absent ones are left out. */
  readonly revisions: (scope: SupplierScope, keys: readonly RevisionKey[]) => Promise<DeclarationRevision[]>;
  /**
   * All declarations that a request wrote, by supplier, invoice and revision; what was written in the last seconds may
   * be left out.
   */
  readonly ofRequest: (requestId: string) => Promise<OwnedRevision[]>;
}

/** Where invoices are written, and what fits there. */
export interface InvoiceWriter {
  readonly commit: Commit<InvoiceChange>;
  /** What the change of an invoice takes of a transaction. */
  readonly costOf: (scope: SupplierScope, change: InvoiceChange) => TransactionCost;
  readonly limits: TransactionLimits;
  /** How many transactions of one supplier can run side by side without meeting at a counter. */
  readonly parallelTransactions: number;
  /** The bytes that an invoice could come to with its declarations. */
  readonly declarableBytes: (scope: SupplierScope, invoice: Invoice) => number;
  /** The most bytes that it may have. */
  readonly maxBytes: number;
}

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
interface StoredCounters {
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

/** The log of all declarations of a tenant: in a shard, an entry is written only after the ones before it. */
export interface DeclarationLog {
  /** How many shards each log has. */
  readonly shards: number;
  /** The number of the latest entry of a shard, strongly consistent; 0: it has none. */
  readonly latest: (tenant: string, shard: number) => Promise<number>;
  /** The next entries of a shard after one that is not its latest: at least one, without a gap, strongly consistent. */
  readonly after: (tenant: string, shard: number, number: number) => Promise<LogEntry[]>;
}

/** What one transaction wrote. */
export interface LogEntry {
  readonly number: number;
  /** Those of one invoice in the order of their revisions. */
  readonly declarations: readonly LoggedDeclaration[];
}

/** A declaration, and where the log names the one before it on the same invoice, if it does. */
export interface LoggedDeclaration extends OwnedRevision {
  readonly follows: LogPosition | null;
}
