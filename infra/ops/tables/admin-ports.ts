import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { ACCOUNT_POLICY } from '../../../lib/access/policies.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { createAccountLocks } from '../../../lib/tables/account-table.ts';
import { createListAudit } from './audits.ts';
import { createDirectoryRecords } from './directory-records.ts';
import { createDeclarationLog } from '../../../lib/tables/declaration-log.ts';
import { createDeclarationTable } from '../../../lib/tables/declaration-table.ts';
import {
  createInvoiceTable,
  createStateHistory,
  idsWithLeadingZeros,
  revisionKeys,
} from '../../../lib/tables/invoice-table.ts';
import { createDeclarationStore, PARALLEL_TRANSACTIONS } from '../../../lib/tables/invoice-transaction.ts';
import { type ListedMonth, listedInvoices } from './listed-invoices.ts';
import { declarableBytes } from '../../../lib/tables/invoice-items.ts';
import { MAX_ITEM_BYTES } from '../../../lib/tables/dynamodb/item-size.ts';

/** The data of an installation, as the use cases of operators read and write them. */
export type AdminPorts = ReturnType<typeof createAdminPorts>;

/** The writer of invoices, with the limits of what it can write. */
export type InvoiceWriter = AdminPorts['invoiceWriter'];

/** Creates the ports of operators' use cases, over the tables of a stage. */
export function createAdminPorts({
  client,
  tables,
  demoPassword,
}: {
  readonly client: DynamoDBDocumentClient;
  readonly tables: Readonly<Record<'Directory' | 'Invoices' | 'Declarations', string>>;
  readonly demoPassword?: string;
}) {
  const { Directory, Invoices, Declarations } = tables;
  const { getMany, getOfEach } = createInvoiceTable(client, Invoices);
  const { commit, costOf, limits } = createDeclarationStore(client, { invoices: Invoices, declarations: Declarations });
  return {
    records: createDirectoryRecords(client, Directory),
    accountLocks: createAccountLocks(client, Directory, ACCOUNT_POLICY, systemClock),
    invoices: { getMany, getOfEach },
    invoiceWriter: {
      commit,
      costOf,
      limits,
      parallelTransactions: PARALLEL_TRANSACTIONS,
      declarableBytes,
      maxBytes: MAX_ITEM_BYTES,
    },
    declarations: createDeclarationTable(client, Declarations),
    declarationLog: createDeclarationLog(client, Declarations),
    revisionKeys: (scope: SupplierScope) => revisionKeys(client, Invoices, scope),
    idsWithLeadingZeros: (scope: SupplierScope) => idsWithLeadingZeros(client, Invoices, scope),
    listedInvoices: (scope: SupplierScope, wanted: ListedMonth) => listedInvoices(client, Invoices, scope, wanted),
    stateChanges: createStateHistory(client, Invoices),
    lists: createListAudit(client, Invoices),
    /** The password of the demo's accounts, which no rule rejects; only in the local installation. */
    demoPassword,
  };
}
