import type { EventBridgeClientConfig } from '@aws-sdk/client-eventbridge';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { EventType, InvoiceEvent } from '../../../lib/contracts/events.ts';
import type { DateRange } from '../../../lib/domain/date-range.ts';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { createEventBus } from '../../../lib/events/event-bus.ts';
import { toEvent } from '../../../lib/events/history-records.ts';
import { type Failure, type Publication, publishRecords } from '../../../lib/events/publish-records.ts';
import { batchGet } from '../../../lib/storage/dynamodb/batch-get.ts';
import { type StoredNumber, toInteger } from '../../../lib/storage/dynamodb/numbers.ts';
import { beginningWith, queryPages } from '../../../lib/storage/dynamodb/paged-items.ts';
import { revisionKeys } from '../../../lib/storage/invoices/invoice-table.ts';
import type { HistoryItem } from '../../../lib/storage/items/history-items.ts';
import { declarationPartition, invoicePartition, STATE_CHANGES } from '../../../lib/storage/items/keys.ts';

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
    /** Reads the entries of a supplier that are published as events of a type. */
    entries: (scope: SupplierScope, type: EventType) =>
      type === 'InvoiceDeclared' ? readRevisions(scope) : readStateChanges(scope),
  };
}

/** Selects the events that are published again, and receives the result of each entry. */
interface Republication extends Pick<Publication<HistoryItem>, 'published' | 'skipped'> {
  readonly types: readonly EventType[];
  /** The range of the times of the entries. */
  readonly range: DateRange;
  /** Ends the publication after the current page. */
  readonly stop: AbortSignal;
}

/**
 * Publishes events of a supplier again, with their original ids and, for each type, those of an invoice in order.
 * Returns the first entry that the bus does not accept, or null.
 */
export async function publishAgain(
  { put, entries }: RepublishPorts,
  scope: SupplierScope,
  { types, range, stop, ...reports }: Republication,
): Promise<Failure<HistoryItem> | null> {
  const toWantedEvent = (item: HistoryItem): InvoiceEvent | undefined => {
    const event = toEvent(item);
    const ms = Date.parse(event?.time ?? '');
    return ms >= range.startMs && ms <= range.endMs ? event : undefined;
  };
  for (const type of types) {
    for await (const page of entries(scope, type)) {
      if (stop.aborted) return null;
      const failure = await publishRecords(page, { put, toEvent: toWantedEvent, ...reports });
      if (failure) return failure;
    }
  }
  return null;
}
