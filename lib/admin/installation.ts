import type { StateChange } from '../domain/invoice-state-change.ts';
import type { Invoice, SupplierScope } from '../domain/invoice.ts';
import type { Commit, InvoiceChange, TransactionCost, TransactionLimits } from '../services/transactions.ts';
import type { AccountLocks } from '../storage/access/account-locks.ts';
import type { DeclarationTable, RevisionKey } from '../storage/invoices/declaration-table.ts';
import type { DirectoryLists } from '../storage/directory/directory-lists.ts';
import type { DirectoryRecords } from '../storage/directory/directory-records.ts';
import type { InvoiceTable } from '../storage/invoices/invoice-table.ts';
import type { CounterAudit, RowAudit } from './counters/ports.ts';

/** The data of an installation, as the use cases of operators reach them. */
export interface Installation {
  /** The records of tenants, companies, suppliers, users and API keys. */
  readonly records: DirectoryRecords;
  /** What holds up attempts on an account. */
  readonly accountLocks: AccountLocks;
  /** What a tenant has of each of these. */
  readonly lists: DirectoryLists;
  readonly invoices: InvoiceTable;
  readonly invoiceWriter: InvoiceWriter;
  readonly declarations: DeclarationTable;
  /** The keys of the current declarations of all of a supplier's invoices, page by page. */
  readonly currentDeclarations: (scope: SupplierScope) => AsyncIterable<readonly RevisionKey[]>;
  /** The state changes of an invoice, oldest first. */
  readonly stateChanges: (scope: SupplierScope, invoiceId: string) => Promise<StateChange[]>;
  /** The rows of invoices in lists, and what they must be. */
  readonly rows: RowAudit;
  /** The day counters, and what they count. */
  readonly counters: CounterAudit;
  /** The password of the demo's accounts, which no rule refuses; only on this machine. */
  readonly demoPassword?: string | undefined;
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
