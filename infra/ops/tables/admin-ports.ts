import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createAccountLocks } from '../../../lib/tables/account-table.ts';
import { createHistoryTable } from '../../../lib/tables/history-table.ts';
import { readPublicKeys } from '../../../lib/tables/public-keys.ts';
import { createCommandTransaction } from './command-transaction.ts';
import { createDirectoryRecords } from './directory-records.ts';
import { createInvoiceEraser } from './erase-invoice.ts';
import { createOperatorEntries } from './operator-entries.ts';
import { createStoredInvoices } from './stored-invoices.ts';

/** The repositories of the tables that the operators' commands use. */
export type AdminPorts = ReturnType<typeof createAdminPorts>;

/** Creates the repositories of tables with these names. */
export function createAdminPorts({
  client,
  tables: { Directory, Invoices, Declarations },
  demoPassword,
}: {
  readonly client: DynamoDBDocumentClient;
  readonly tables: Readonly<Record<'Directory' | 'Invoices' | 'Declarations', string>>;
  readonly demoPassword?: string;
}) {
  const invoiceTables = { invoices: Invoices, declarations: Declarations };
  return {
    records: createDirectoryRecords(client, Directory),
    operatorEntries: createOperatorEntries(client, Directory),
    publicKeys: () => readPublicKeys(client, Directory),
    accountLocks: createAccountLocks(client, Directory),
    invoices: createStoredInvoices(client, Invoices),
    histories: createHistoryTable(client, Declarations),
    commit: createCommandTransaction(client, invoiceTables),
    eraseInvoice: createInvoiceEraser(client, invoiceTables),
    /** The password of the accounts of the demo, which no password rule rejects. Only the local target has one. */
    demoPassword,
  };
}
