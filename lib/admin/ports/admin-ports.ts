import type { DateRange } from '../../domain/date-range.ts';
import type { DeclarationRevision } from '../../domain/declaration.ts';
import type { StateChange } from '../../domain/invoice-state-change.ts';
import type { Invoice, InvoiceRow, SupplierScope } from '../../domain/invoice.ts';
import type { StateCode } from '../../domain/invoice-states.ts';
import type { Commit, InvoiceChange, TransactionCost, TransactionLimits } from '../../services/transactions.ts';
import type { CounterAudit, RowAudit } from './audits.ts';
import type { DeclarationLog } from './declaration-log.ts';
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
  /** The keys of the current declarations of all of a supplier's invoices, page by page. */
  readonly currentDeclarations: (scope: SupplierScope) => AsyncIterable<readonly RevisionKey[]>;
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
  /** Up to 100 invoices, by id; those that do not exist are left out. */
  readonly getMany: (scope: SupplierScope, invoiceIds: readonly string[]) => Promise<Map<string, Invoice>>;
  /** The invoices of one id that up to 100 suppliers have, in any order. */
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
  /** The declarations of up to 100 distinct keys, in any order; absent ones are left out. */
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
