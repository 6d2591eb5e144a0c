import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, type EventBridgeClientConfig, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { buildDeclaredEvent, EVENT_SOURCE, type InvoiceEvent, buildStateChangedEvent } from '../contracts/events.ts';
import { attempts } from '../runtime/attempts.ts';
import { getCurrentDeadline } from '../runtime/request-scope.ts';
import { SigningHash } from '../tables/dynamodb/sdk-tuning.ts';
import { type HistoryItem, type RevisionItem, toRevision, toStateChange } from '../tables/history-items.ts';
import { parseHistoryKey } from '../tables/keys.ts';

/** A record of a table's stream, as Lambda receives it. */
export interface StreamRecord {
  readonly eventName?: string;
  readonly dynamodb?: {
    readonly Keys?: Record<string, AttributeValue>;
    readonly NewImage?: Record<string, AttributeValue>;
    readonly SequenceNumber?: string;
  };
}

/** Reads the event of a new entry of a history; undefined for any other record. Throws if the entry cannot be read. */
export function readStreamEvent({ eventName, dynamodb }: StreamRecord): InvoiceEvent | undefined {
  if (eventName !== 'INSERT' || dynamodb?.NewImage === undefined) return undefined;
  return toEvent(unmarshall(dynamodb.NewImage, { wrapNumbers: true }) as HistoryItem);
}

/** Converts an entry of a history to its event; undefined for any other item. Throws if the entry cannot be read. */
export function toEvent({ pk, sk, ...attributes }: HistoryItem): InvoiceEvent | undefined {
  const historyKey = parseHistoryKey(pk, typeof sk === 'string' ? sk : null);
  if (historyKey === undefined) return undefined;
  const { history, scope, invoiceId } = historyKey;
  // The key determines the attributes of the item, which the compiler cannot derive.
  const event =
    history === 'states'
      ? buildStateChangedEvent(scope, toStateChange(invoiceId, attributes))
      : buildDeclaredEvent(scope, toRevision(invoiceId, attributes as unknown as RevisionItem));
  if (Number.isNaN(Date.parse(event.time))) throw new Error('The entry has no valid time.');
  return event;
}

/** An event in the form of the bus, with its detail as JSON. */
export interface BusEntry extends Pick<InvoiceEvent, 'type' | 'time'> {
  readonly detail: string;
}

/** Sends entries to the bus. Returns for each entry the code of its error, or null if the bus has accepted it. */
export type PutEvents = (entries: readonly BusEntry[]) => Promise<readonly (string | null)[]>;

/** A record whose event is not published, with the error. */
export interface Failure<Source> {
  readonly record: Source;
  readonly error: unknown;
}

/** The functions with which records are published. */
export interface Publication<Source> {
  readonly putEvents: PutEvents;
  /** Returns undefined for a record without an event; throws if the record cannot be read. */
  readonly toEvent: (record: Source) => InvoiceEvent | undefined;
  readonly onPublished: (event: InvoiceEvent) => void;
  /** Receives each record that cannot be read. It is skipped, so that it does not block the records after it. */
  readonly onSkipped: (failure: Failure<Source>) => void;
}

interface Message<Source> {
  readonly record: Source;
  readonly event: InvoiceEvent;
  readonly entry: BusEntry;
}

/** The limits of one call of PutEvents. */
const CALL_LIMITS = { entries: 10, bytes: 256 * 1024 };
// The number of bytes that PutEvents counts for the time of an entry.
const TIME_BYTES = 14;

/**
 * Publishes the events of records. The events of an invoice are published in order. Entries that the bus rejects are
 * sent again until the deadline. Returns the first record whose event is not published by then, or null.
 */
export async function publishRecords<Source>(
  records: readonly Source[],
  publication: Publication<Source>,
): Promise<Failure<Source> | null> {
  const { messages, unreadable } = readMessages(records, publication);
  let failure: Failure<Source> | null = null;
  for (const call of splitIntoBatches(messages)) {
    failure = await putMessages(call, publication);
    // A later record is not published, because it could be of the same invoice.
    if (failure) break;
  }
  // The retry of a batch begins at the failed record, and reports the unreadable records after it.
  const retryIndex = failure ? records.indexOf(failure.record) : records.length;
  for (const skipped of unreadable) {
    if (records.indexOf(skipped.record) < retryIndex) publication.onSkipped(skipped);
  }
  return failure;
}

function readMessages<Source>(records: readonly Source[], { toEvent: convert }: Publication<Source>) {
  const messages: Message<Source>[] = [];
  const unreadable: Failure<Source>[] = [];
  for (const record of records) {
    try {
      const event = convert(record);
      if (event) messages.push({ record, event, entry: { ...event, detail: JSON.stringify(event.detail) } });
    } catch (error) {
      unreadable.push({ record, error });
    }
  }
  return { messages, unreadable };
}

/** Splits messages into calls. Two events of an invoice are in two calls, because the bus can reject one of them. */
export function splitIntoBatches<Source>(messages: readonly Message<Source>[]): Message<Source>[][] {
  const calls: Message<Source>[][] = [];
  let call: Message<Source>[] = [];
  let bytes = 0;
  let invoiceKeys = new Set<string>();
  for (const message of messages) {
    const { supplier_id: supplierId, invoice_id: invoiceId, tenant } = message.event.detail;
    const invoiceKey = `${tenant}#${supplierId}#${invoiceId}`;
    const entryBytes = computeEntryBytes(message.entry);
    const hasRoom = call.length < CALL_LIMITS.entries && bytes + entryBytes <= CALL_LIMITS.bytes;
    if (call.length > 0 && (!hasRoom || invoiceKeys.has(invoiceKey))) {
      calls.push(call);
      call = [];
      bytes = 0;
      invoiceKeys = new Set();
    }
    call.push(message);
    bytes += entryBytes;
    invoiceKeys.add(invoiceKey);
  }
  return call.length > 0 ? [...calls, call] : calls;
}

function computeEntryBytes({ type, detail }: BusEntry): number {
  return TIME_BYTES + EVENT_SOURCE.length + type.length + Buffer.byteLength(detail);
}

/** Sends the messages of a call, and again those that the bus rejects. Returns the first one that remains, or null. */
async function putMessages<Source>(
  call: readonly Message<Source>[],
  { putEvents, onPublished }: Publication<Source>,
): Promise<Failure<Source> | null> {
  let remaining = call;
  let error: unknown;
  for await (const _ of attempts()) {
    try {
      const errorCodes = await putEvents(remaining.map(({ entry }) => entry));
      const accepted = remaining.filter((_message, index) => errorCodes[index] === null);
      for (const { event } of accepted) onPublished(event);
      error = new Error(`The bus has rejected the event: ${errorCodes.find((code) => code !== null)}.`);
      remaining = remaining.filter((message) => !accepted.includes(message));
    } catch (thrown) {
      error = thrown;
    }
    if (remaining.length === 0) return null;
  }
  const [first] = remaining;
  return first ? { record: first.record, error } : null;
}

/** Creates the function that sends entries to an EventBridge bus, in one attempt that ends by the deadline. */
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
    const abortSignal = getCurrentDeadline()?.signal;
    const { Entries: results = [] } = await client.send(command, { ...(abortSignal && { abortSignal }) });
    return entries.map((_, index) => {
      const { EventId: eventId, ErrorCode: errorCode = 'NoAnswer' } = results[index] ?? {};
      return eventId === undefined ? errorCode : null;
    });
  };
}
