import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, type EventBridgeClientConfig, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { declaredEvent, EVENT_SOURCE, type InvoiceEvent, stateChangedEvent } from '../contracts/events.ts';
import { attempts } from '../runtime/attempts.ts';
import { currentDeadline } from '../runtime/request-scope.ts';
import { SigningHash } from '../tables/dynamodb/sdk-tuning.ts';
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
export function readStreamEvent({ eventName, dynamodb }: StreamRecord): InvoiceEvent | undefined {
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

/** An event as it goes onto the bus; `detail` is JSON. */
export interface BusEntry extends Pick<InvoiceEvent, 'type' | 'time'> {
  readonly detail: string;
}

/** Sends entries to the bus; returns the error of each rejected entry, or null. */
export type PutEvents = (entries: readonly BusEntry[]) => Promise<readonly (string | null)[]>;

/** A record whose event is not published, with the reason. */
export interface Failure<Source> {
  readonly record: Source;
  readonly error: unknown;
}

export interface Publication<Source> {
  readonly put: PutEvents;
  /** Returns undefined for a record without an event; throws if it cannot be read. */
  readonly toEvent: (record: Source) => InvoiceEvent | undefined;
  readonly published: (event: InvoiceEvent) => void;
  /** Receives each record that cannot be read. It is skipped, so that it does not block the records after it. */
  readonly skipped: (failure: Failure<Source>) => void;
}

interface Message<Source> {
  readonly record: Source;
  readonly event: InvoiceEvent;
  readonly entry: BusEntry;
}

/** The limits of one call of PutEvents. */
const CALL = { entries: 10, bytes: 256 * 1024 };
// The size that AWS counts for the time of an entry.
const TIME_BYTES = 14;

/**
 * Publishes the events of records, those of an invoice in order. Entries that the bus rejects are put again until the
 * deadline. Returns the first record that is still not published then: of its invoice, no later record is published.
 */
export async function publishRecords<Source>(
  records: readonly Source[],
  publication: Publication<Source>,
): Promise<Failure<Source> | null> {
  const messages: Message<Source>[] = [];
  const unreadable: Failure<Source>[] = [];
  for (const record of records) {
    try {
      const event = publication.toEvent(record);
      if (event) messages.push({ record, event, entry: { ...event, detail: JSON.stringify(event.detail) } });
    } catch (error) {
      unreadable.push({ record, error });
    }
  }
  let failure: Failure<Source> | null = null;
  for (const call of splitIntoCalls(messages)) {
    failure = await putAll(call, publication);
    if (failure) break;
  }
  // The retry of a batch begins at the failed record, and reports the records after it.
  const end = failure ? records.indexOf(failure.record) : records.length;
  for (const skipped of unreadable) if (records.indexOf(skipped.record) < end) publication.skipped(skipped);
  return failure;
}

/**
 * Cuts messages into calls. A call has one event of an invoice at most: of two, the bus could take the second alone.
 */
export function splitIntoCalls<Each extends Pick<Message<unknown>, 'event' | 'entry'>>(
  messages: readonly Each[],
): Each[][] {
  const calls: Each[][] = [];
  let call: Each[] = [];
  let bytes = 0;
  let invoices = new Set<string>();
  for (const message of messages) {
    const { supplier_id: supplierId, invoice_id: invoiceId, tenant } = message.event.detail;
    const invoice = `${tenant}#${supplierId}#${invoiceId}`;
    const size = countBytes(message.entry);
    const fits = call.length < CALL.entries && bytes + size <= CALL.bytes && !invoices.has(invoice);
    if (!fits && call.length > 0) {
      calls.push(call);
      [call, bytes, invoices] = [[], 0, new Set()];
    }
    call.push(message);
    bytes += size;
    invoices.add(invoice);
  }
  return call.length > 0 ? [...calls, call] : calls;
}

function countBytes({ type, detail }: BusEntry): number {
  return TIME_BYTES + EVENT_SOURCE.length + type.length + Buffer.byteLength(detail);
}

async function putAll<Source>(
  call: readonly Message<Source>[],
  { put, published }: Publication<Source>,
): Promise<Failure<Source> | null> {
  let left = call;
  let error: unknown;
  for await (const _ of attempts()) {
    try {
      const faults = await put(left.map(({ entry }) => entry));
      const isTaken = (index: number) => faults[index] === null;
      for (const [index, { event }] of left.entries()) if (isTaken(index)) published(event);
      error = new Error(`The bus has rejected the event: ${faults.find((fault) => fault !== null)}.`);
      left = left.filter((_message, index) => !isTaken(index));
    } catch (thrown) {
      error = thrown;
    }
    if (left.length === 0) break;
  }
  const [first] = left;
  return first ? { record: first.record, error } : null;
}

/** Puts events onto the EventBridge bus of this name, in one attempt that ends by the deadline. */
export function createEventBus(name: string, settings: EventBridgeClientConfig = {}): PutEvents {
  const client = new EventBridgeClient({
    maxAttempts: 1,
    sha256: SigningHash,
    requestHandler: { connectionTimeout: 3_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
    ...settings,
  });
  return async (entries) => {
    const command = new PutEventsCommand({
      Entries: entries.map(({ type, time, detail }) => ({
        EventBusName: name,
        Source: EVENT_SOURCE,
        DetailType: type,
        Time: new Date(time),
        Detail: detail,
      })),
    });
    const abortSignal = currentDeadline()?.signal;
    const { Entries: results = [] } = await client.send(command, { ...(abortSignal && { abortSignal }) });
    return entries.map((_, index) => {
      const { EventId: id, ErrorCode: code = 'NoAnswer' } = results[index] ?? {};
      return id === undefined ? code : null;
    });
  };
}
