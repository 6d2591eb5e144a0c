import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { ACCOUNT_POLICY } from '../../../lib/access/policies.ts';
import { createAccountLocks } from '../../../lib/tables/account-table.ts';
import { createInvoiceRecords } from './invoice-records.ts';
import { createLists } from './audits.ts';
import { createDirectoryRecords } from './directory-records.ts';
import { createOperatorEntries } from './operator-entries.ts';
import { createDeclarationLog, createDeclarationTable } from '../../../lib/tables/declaration-table.ts';
import {
  createInvoiceTable,
  createStateHistoryReader,
  readIdsWithLeadingZeros,
  readInvoiceItems,
  readRevisionKeys,
  readWithdrawnInvoices,
} from '../../../lib/tables/invoice-table.ts';
import { batchGet, buildPrefixCondition, queryPages } from '../../../lib/tables/dynamodb/reads.ts';
import { type StoredNumber, toInteger } from '../../../lib/tables/dynamodb/values.ts';
import type { HistoryItem } from '../../../lib/tables/history-items.ts';
import { buildDeclarationPartition, buildInvoicePartition, STATE_CHANGE_PREFIX } from '../../../lib/tables/keys.ts';
import { readPublicKeys } from '../../../lib/tables/signing-key-tables.ts';
import { createInvoiceTransaction } from '../../../lib/tables/invoice-transaction.ts';

/** The repositories of the tables that the operators' commands use. */
export type AdminPorts = ReturnType<typeof createAdminPorts>;

export function createAdminPorts({
  client,
  tables,
  demoPassword,
}: {
  readonly client: DynamoDBDocumentClient;
  readonly tables: Readonly<Record<'Directory' | 'Invoices' | 'Declarations' | 'DayIndexes', string>>;
  readonly demoPassword?: string;
}) {
  const { Directory, Invoices, Declarations } = tables;

  /** Yields the declarations of a supplier, page by page. The declarations of an invoice are in order. */
  async function* readDeclarations(scope: SupplierScope): AsyncGenerator<HistoryItem[], void> {
    for await (const keys of readRevisionKeys(client, Invoices, scope)) {
      const itemKeys = keys.map(({ invoiceId, revision }) => {
        return { pk: buildDeclarationPartition(scope, invoiceId), sk: revision };
      });
      const items = await batchGet<HistoryItem>(client, Declarations, itemKeys);
      const getRevision = ({ sk }: HistoryItem) => toInteger(sk as StoredNumber);
      yield items.toSorted((item, otherItem) => getRevision(item) - getRevision(otherItem));
    }
  }

  return {
    records: createDirectoryRecords(client, Directory),
    operatorEntries: createOperatorEntries(client, Directory),
    publicKeys: () => readPublicKeys(client, Directory),
    accountLocks: createAccountLocks(client, Directory, ACCOUNT_POLICY),
    invoices: createInvoiceTable(client, Invoices),
    /** Creates the reader of another table with the format of Invoices, such as a restored copy. */
    invoicesIn: (table: string) => createInvoiceTable(client, table),
    /** Yields the items of the invoices of a supplier, page by page, by default those of the service. */
    invoiceItems: (scope: SupplierScope, table = Invoices) => readInvoiceItems(client, table, scope),
    commit: createInvoiceTransaction(client, { invoices: Invoices, declarations: Declarations }),
    declarations: createDeclarationTable(client, Declarations),
    declarationLog: createDeclarationLog(client, Declarations),
    revisionKeys: (scope: SupplierScope) => readRevisionKeys(client, Invoices, scope),
    idsWithLeadingZeros: (scope: SupplierScope) => readIdsWithLeadingZeros(client, Invoices, scope),
    withdrawnInvoices: (scope: SupplierScope) => readWithdrawnInvoices(client, Invoices, scope),
    stateChanges: createStateHistoryReader(client, Invoices),
    /** Yields the stored declarations or state changes of a supplier. Those of an invoice are in order. */
    historyItems(scope: SupplierScope, isDeclared: boolean): AsyncGenerator<HistoryItem[], void> {
      if (isDeclared) return readDeclarations(scope);
      const stateChanges = buildPrefixCondition({ pk: buildInvoicePartition(scope), sk: STATE_CHANGE_PREFIX });
      return queryPages<HistoryItem>(client, { TableName: Invoices, ...stateChanges });
    },
    lists: createLists(client, Invoices),
    invoiceRecords: createInvoiceRecords(client, tables),
    /** The password of the accounts of the demo, which no password rule rejects. Only the local target has one. */
    demoPassword,
  };
}
