import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { AdminPorts } from '../admin/ports/admin-ports.ts';
import { ACCOUNT_POLICY } from '../rate-limit/policies.ts';
import { systemClock } from '../runtime/clock.ts';
import { createAccountLocks } from '../storage/access/account-locks.ts';
import { createCounterAudit, createRowAudit } from '../storage/audit/audits.ts';
import { createDeclarationLog } from '../storage/invoices/declaration-log.ts';
import { createDeclarationTable } from '../storage/invoices/declaration-table.ts';
import { createDirectoryRecords } from '../storage/directory/directory-records.ts';
import { declarableBytes } from '../storage/items/invoice-items.ts';
import {
  createInvoiceTable,
  createStateHistory,
  invoiceIdPages,
  revisionKeys,
} from '../storage/invoices/invoice-table.ts';
import { listedInvoices } from '../storage/invoices/listed-invoices.ts';
import { MAX_ITEM_BYTES } from '../storage/dynamodb/item-size.ts';
import { createDeclarationStore, PARALLEL_TRANSACTIONS } from '../storage/invoices/invoice-transaction.ts';

/** Creates the ports of operators' use cases, over the tables of a stage. */
export function createAdminPorts({
  client,
  tables,
  demoPassword,
}: {
  readonly client: DynamoDBDocumentClient;
  readonly tables: Readonly<Record<'Directory' | 'Invoices' | 'Declarations', string>>;
  readonly demoPassword?: string;
}): AdminPorts {
  const { Directory, Invoices, Declarations } = tables;
  return {
    records: createDirectoryRecords(client, Directory),
    accountLocks: createAccountLocks(client, Directory, ACCOUNT_POLICY, systemClock),
    invoices: createInvoiceTable(client, Invoices),
    invoiceWriter: {
      ...createDeclarationStore(client, { invoices: Invoices, declarations: Declarations }),
      parallelTransactions: PARALLEL_TRANSACTIONS,
      declarableBytes,
      maxBytes: MAX_ITEM_BYTES,
    },
    declarations: createDeclarationTable(client, Declarations),
    declarationLog: createDeclarationLog(client, Declarations),
    revisionKeys: (scope) => revisionKeys(client, Invoices, scope),
    invoiceIds: (scope, range) => invoiceIdPages(client, Invoices, scope, range),
    listedInvoices: (scope, wanted) => listedInvoices(client, Invoices, scope, wanted),
    stateChanges: createStateHistory(client, Invoices),
    rows: createRowAudit(client, Invoices),
    counters: createCounterAudit(client, Invoices),
    demoPassword,
  };
}
