import type { EventBridgeClientConfig } from '@aws-sdk/client-eventbridge';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createEventBus } from '../events/event-bus.ts';
import type { RepublishPorts } from '../events/republish-events.ts';
import { storedRevisions, storedStateChanges } from '../storage/invoices/history-entries.ts';

/** The tables with the histories of a stage, and the event bus. */
export interface RepublishSettings {
  readonly client: DynamoDBDocumentClient;
  readonly tables: Readonly<Record<'Invoices' | 'Declarations', string>>;
  readonly bus: string;
  readonly settings: EventBridgeClientConfig;
}

/** Creates the ports with which events are published again. */
export function createRepublishPorts({ client, tables, bus, settings }: RepublishSettings): RepublishPorts {
  return {
    put: createEventBus(bus, settings),
    entries: (scope, type) =>
      type === 'InvoiceDeclared'
        ? storedRevisions(client, tables, scope)
        : storedStateChanges(client, tables.Invoices, scope),
  };
}
