import type { EventBridgeClientConfig } from '@aws-sdk/client-eventbridge';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { EventType } from '../../../lib/contracts/events.ts';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { createEventBus } from '../../../lib/events/publish-records.ts';
import { batchGet, beginningWith, queryPages } from '../../../lib/tables/dynamodb/reads.ts';
import { type StoredNumber, toInteger } from '../../../lib/tables/dynamodb/values.ts';
import type { HistoryItem } from '../../../lib/tables/history-items.ts';
import { revisionKeys } from '../../../lib/tables/invoice-table.ts';
import { declarationPartition, invoicePartition, STATE_CHANGES } from '../../../lib/tables/keys.ts';

/** The histories of invoices, and the bus to which their events are published. */
export type RepublishPorts = ReturnType<typeof createRepublishPorts>;

/** Creates the ports with which events are published again, over the tables and the event bus of a stage. */
export function createRepublishPorts({
  client,
  tables,
  bus,
  settings,
}: {
  readonly client: DynamoDBDocumentClient;
  readonly tables: Readonly<Record<'Invoices' | 'Declarations', string>>;
  readonly bus: string;
  readonly settings: EventBridgeClientConfig;
}) {
  /** Yields the pages of all state changes of a supplier; those of one invoice are in order. */
  function readStateChanges(scope: SupplierScope) {
    const query = beginningWith({ pk: invoicePartition(scope), sk: STATE_CHANGES });
    return queryPages<HistoryItem>(client, { TableName: tables.Invoices, ...query });
  }

  /** Yields the pages of all declarations of a supplier; those of one invoice are in order. */
  async function* readRevisions(scope: SupplierScope): AsyncGenerator<HistoryItem[], void> {
    for await (const keys of revisionKeys(client, tables.Invoices, scope)) {
      const stored = keys.map(({ invoiceId, revision: sk }) => ({ pk: declarationPartition(scope, invoiceId), sk }));
      const items = await batchGet<HistoryItem>(client, tables.Declarations, stored);
      const revisionOf = ({ sk }: HistoryItem) => toInteger(sk as StoredNumber);
      yield items.toSorted((one, other) => revisionOf(one) - revisionOf(other));
    }
  }

  return {
    put: createEventBus(bus, settings),
    entries: (scope: SupplierScope, type: EventType) =>
      type === 'InvoiceDeclared' ? readRevisions(scope) : readStateChanges(scope),
  };
}
