import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, type EventBridgeClientConfig, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { buildEvents, EVENT_SOURCE, type InvoiceEvent } from '../contracts/events.ts';
import { attempts } from '../runtime/attempts.ts';
import { getCurrentDeadline } from '../runtime/request-scope.ts';
import { SigningHash } from '../tables/dynamodb/sdk-tuning.ts';
import { type HistoryItem, toRecordedChange } from '../tables/history-items.ts';

/** A record of a DynamoDB stream, as Lambda receives it. */
export interface StreamRecord {
  readonly eventName?: string;
  readonly dynamodb?: {
    readonly Keys?: Record<string, AttributeValue>;
    readonly NewImage?: Record<string, AttributeValue>;
    readonly SequenceNumber?: string;
  };
}

/** Reads the events of the change that a record adds to a history. Throws if the change cannot be read. */
export function readStreamEvents({ eventName, dynamodb }: StreamRecord): readonly InvoiceEvent[] {
  if (eventName !== 'INSERT' || dynamodb?.NewImage === undefined) return [];
  const change = toRecordedChange(unmarshall(dynamodb.NewImage, { wrapNumbers: true }) as HistoryItem);
  if (Number.isNaN(Date.parse(change.changedAt))) throw new Error('The change has no valid time.');
  return buildEvents(change);
}

/** An event as the bus receives it. The detail is a JSON text. */
export interface BusEntry extends Pick<InvoiceEvent, 'type' | 'time'> {
  readonly detail: string;
}

/** Sends entries to the bus. Returns an error code for each entry, or null for each entry that the bus accepted. */
export type PutEvents = (entries: readonly BusEntry[]) => Promise<readonly (string | null)[]>;

/** A record whose event was not published, with the error. */
export interface Failure<Source> {
  readonly record: Source;
  readonly error: unknown;
}

/** The functions that `publishRecords` calls. */
export interface Publication<Source> {
  readonly putEvents: PutEvents;
  /** Returns the events of a record. Throws if the record cannot be read. */
  readonly toEvents: (record: Source) => readonly InvoiceEvent[];
  readonly onPublished: (event: InvoiceEvent) => void;
  /** Receives each record that cannot be read. Such a record is skipped, so that it does not block later records. */
  readonly onSkipped: (failure: Failure<Source>) => void;
}

interface Message<Source> {
  readonly record: Source;
  readonly event: InvoiceEvent;
  readonly entry: BusEntry;
}

// The limits of one call of PutEvents.
const BATCH_LIMITS = { entries: 10, bytes: 256 * 1024 };
// PutEvents counts this number of bytes for the time of an entry.
const TIME_BYTES = 14;

/**
 * Publishes the events of records. The events of each invoice are published in order. Entries that the bus rejects are
 * sent again until the deadline. Returns the first record whose event was not published by the deadline, or null.
 */
export async function publishRecords<Source>(
  records: readonly Source[],
  publication: Publication<Source>,
): Promise<Failure<Source> | null> {
  const { messages, unreadable } = readMessages(records, publication);
  let failure: Failure<Source> | null = null;
  for (const batch of splitIntoBatches(messages)) {
    failure = await putMessages(batch, publication);
    // The later batches are not published, because they can contain events of the same invoice.
    if (failure) break;
  }
  // The next attempt begins at the failed record. It then reports the unreadable records after the failed one.
  const retryIndex = failure ? records.indexOf(failure.record) : records.length;
  for (const skipped of unreadable) {
    if (records.indexOf(skipped.record) < retryIndex) publication.onSkipped(skipped);
  }
  return failure;
}

function readMessages<Source>(records: readonly Source[], { toEvents }: Publication<Source>) {
  const messages: Message<Source>[] = [];
  const unreadable: Failure<Source>[] = [];
  for (const record of records) {
    try {
      for (const event of toEvents(record)) {
        messages.push({ record, event, entry: { ...event, detail: JSON.stringify(event.detail) } });
      }
    } catch (error) {
      unreadable.push({ record, error });
    }
  }
  return { messages, unreadable };
}

/** Splits messages into batches. A batch never has two events of an invoice, because the bus can reject one of them. */
export function splitIntoBatches<Source>(messages: readonly Message<Source>[]): Message<Source>[][] {
  const batches: Message<Source>[][] = [];
  let batch: Message<Source>[] = [];
  let bytes = 0;
  let invoiceKeys = new Set<string>();
  for (const message of messages) {
    const { supplier_id: supplierId, invoice_id: invoiceId, tenant } = message.event.detail;
    const invoiceKey = `${tenant}#${supplierId}#${invoiceId}`;
    const entryBytes = computeEntryBytes(message.entry);
    const isWithinLimits = batch.length < BATCH_LIMITS.entries && bytes + entryBytes <= BATCH_LIMITS.bytes;
    if (batch.length > 0 && (!isWithinLimits || invoiceKeys.has(invoiceKey))) {
      batches.push(batch);
      batch = [];
      bytes = 0;
      invoiceKeys = new Set();
    }
    batch.push(message);
    bytes += entryBytes;
    invoiceKeys.add(invoiceKey);
  }
  return batch.length > 0 ? [...batches, batch] : batches;
}

function computeEntryBytes({ type, detail }: BusEntry): number {
  return TIME_BYTES + EVENT_SOURCE.length + type.length + Buffer.byteLength(detail);
}

/** Sends a batch. Sends rejected messages again until the deadline. Returns the first unpublished record, or null. */
async function putMessages<Source>(
  batch: readonly Message<Source>[],
  { putEvents, onPublished }: Publication<Source>,
): Promise<Failure<Source> | null> {
  let remaining = batch;
  let error: unknown;
  for await (const _ of attempts()) {
    try {
      const errorCodes = await putEvents(remaining.map(({ entry }) => entry));
      const accepted = remaining.filter((_message, index) => errorCodes[index] === null);
      for (const { event } of accepted) onPublished(event);
      remaining = remaining.filter((message) => !accepted.includes(message));
      if (remaining.length === 0) return null;
      const firstErrorCode = errorCodes.find((code) => code !== null);
      error = new Error(`The bus has rejected the event: ${firstErrorCode}.`);
    } catch (thrown) {
      error = thrown;
    }
  }
  const [first] = remaining;
  return first ? { record: first.record, error } : null;
}

/** Creates a client of EventBridge, by default for the region of the environment. It makes one attempt. */
export function createEventClient(settings: EventBridgeClientConfig = {}): EventBridgeClient {
  return new EventBridgeClient({
    maxAttempts: 1,
    sha256: SigningHash,
    requestHandler: { connectionTimeout: 3_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
    ...settings,
  });
}

/** Creates the function that sends entries to an EventBridge bus within the deadline. */
export function createEventBus(name: string, client = createEventClient()): PutEvents {
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
