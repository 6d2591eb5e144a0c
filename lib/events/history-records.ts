import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { declaredEvent, type InvoiceEvent, stateChangedEvent } from '../contracts/events.ts';
import { type HistoryItem, type RevisionItem, toRevision, toStateChange } from '../tables/history-items.ts';
import { parseHistoryKey } from '../tables/keys.ts';

/** A record of a table's stream, as Lambda hands it on. */
export interface StreamRecord {
  readonly eventName?: string;
  readonly dynamodb?: {
    readonly Keys?: Record<string, AttributeValue>;
    readonly NewImage?: Record<string, AttributeValue>;
    readonly SequenceNumber?: string;
  };
}

/** Returns the event of an entry that a history has gained; undefined for any other record. Throws as `toEvent` does. */
export function eventOf({ eventName, dynamodb }: StreamRecord): InvoiceEvent | undefined {
  if (eventName !== 'INSERT' || dynamodb?.NewImage === undefined) return undefined;
  return toEvent(unmarshall(dynamodb.NewImage, { wrapNumbers: true }) as HistoryItem);
}

/** Converts an entry of a history to its event; undefined for any other item. Throws if the entry cannot be read. */
export function toEvent({ pk, sk, ...item }: HistoryItem): InvoiceEvent | undefined {
  const owner = parseHistoryKey(pk, typeof sk === 'string' ? sk : null);
  if (owner === undefined) return undefined;
  const { history, scope, invoiceId } = owner;
  const event =
    history === 'states'
      ? stateChangedEvent(scope, toStateChange(invoiceId, item))
      : declaredEvent(scope, toRevision(invoiceId, item as unknown as RevisionItem));
  if (Number.isNaN(Date.parse(event.time))) throw new Error('The entry has no valid time.');
  return event;
}
