import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { declaredEvent, type InvoiceEvent, stateChangedEvent } from '../contracts/events.ts';
import { type RevisionItem, toRevision, toStateChange } from '../storage/items/history-items.ts';
import { historyOwner } from '../storage/items/keys.ts';

/** A record of a table's stream, as Lambda hands it on. */
export interface StreamRecord {
  readonly eventName?: string;
  readonly dynamodb?: {
    readonly NewImage?: Record<string, AttributeValue>;
    readonly SequenceNumber?: string;
  };
}

/**
 * The event of an entry that a history has gained; undefined for a record of anything else. An entry that cannot be
 * read throws.
 */
export function eventOf({ eventName, dynamodb }: StreamRecord): InvoiceEvent | undefined {
  if (eventName !== 'INSERT' || dynamodb?.NewImage === undefined) return undefined;
  const { pk, sk, ...item } = unmarshall(dynamodb.NewImage, { wrapNumbers: true });
  const owner = historyOwner(String(pk), typeof sk === 'string' ? sk : null);
  if (owner === undefined) return undefined;
  const { history, scope, invoiceId } = owner;
  if (history === 'states') return stateChangedEvent(scope, toStateChange(invoiceId, item));
  return declaredEvent(scope, toRevision(invoiceId, item as RevisionItem));
}
