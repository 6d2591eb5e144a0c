import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { ACCOUNT_POLICY } from '../../../lib/access/policies.ts';
import { createAccountLocks } from '../../../lib/tables/account-table.ts';
import { createLists } from './audits.ts';
import { createDirectoryRecords } from './directory-records.ts';
import { createDeclarationLog, createDeclarationTable } from '../../../lib/tables/declaration-table.ts';
import {
  createInvoiceTable,
  createStateHistoryReader,
  readIdsWithLeadingZeros,
  readRevisionKeys,
} from '../../../lib/tables/invoice-table.ts';
import { batchGet, buildPrefixCondition, queryPages } from '../../../lib/tables/dynamodb/reads.ts';
import { type StoredNumber, toInteger } from '../../../lib/tables/dynamodb/values.ts';
import type { HistoryItem } from '../../../lib/tables/history-items.ts';
import { buildDeclarationPartition, buildInvoicePartition, STATE_CHANGE_PREFIX } from '../../../lib/tables/keys.ts';
import { createInvoiceTransaction } from '../../../lib/tables/invoice-transaction.ts';

/** The data of an installation, as the use cases of operators read and write them. */
export type AdminPorts = ReturnType<typeof createAdminPorts>;

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

  /** Yields the pages of all state changes of a supplier; those of one invoice are in order. */
  function readStateChanges(scope: SupplierScope) {
    const query = buildPrefixCondition({ pk: buildInvoicePartition(scope), sk: STATE_CHANGE_PREFIX });
    return queryPages<HistoryItem>(client, { TableName: Invoices, ...query });
  }

  /** Yields the pages of all declarations of a supplier; those of one invoice are in order. */
  async function* readRevisions(scope: SupplierScope): AsyncGenerator<HistoryItem[], void> {
    for await (const keys of readRevisionKeys(client, Invoices, scope)) {
      const stored = keys.map(({ invoiceId, revision: sk }) => ({
        pk: buildDeclarationPartition(scope, invoiceId),
        sk,
      }));
      const items = await batchGet<HistoryItem>(client, Declarations, stored);
      const readRevision = ({ sk }: HistoryItem) => toInteger(sk as StoredNumber);
      yield items.toSorted((one, other) => readRevision(one) - readRevision(other));
    }
  }

  return {
    records: createDirectoryRecords(client, Directory),
    accountLocks: createAccountLocks(client, Directory, ACCOUNT_POLICY),
    invoices: createInvoiceTable(client, Invoices),
    commit: createInvoiceTransaction(client, { invoices: Invoices, declarations: Declarations }),
    declarations: createDeclarationTable(client, Declarations),
    declarationLog: createDeclarationLog(client, Declarations),
    revisionKeys: (scope: SupplierScope) => readRevisionKeys(client, Invoices, scope),
    idsWithLeadingZeros: (scope: SupplierScope) => readIdsWithLeadingZeros(client, Invoices, scope),
    stateChanges: createStateHistoryReader(client, Invoices),
    /** Reads the stored entries of the histories of a supplier: of declarations, or of state changes. */
    historyItems: (scope: SupplierScope, isDeclared: boolean) =>
      isDeclared ? readRevisions(scope) : readStateChanges(scope),
    lists: createLists(client, Invoices),
    /** The password of the demo's accounts, which no rule rejects; only in the local installation. */
    demoPassword,
  };
}
