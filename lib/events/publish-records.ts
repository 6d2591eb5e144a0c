import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { buildEvents, EVENT_SOURCE, type InvoiceEvent } from '../contracts/events.ts';
import { attempts } from '../runtime/attempts.ts';
import { getCurrentDeadline } from '../runtime/request-scope.ts';
import { SigningHash } from '../tables/dynamodb/sdk-tuning.ts';
import { fromAttributeValues } from '../tables/dynamodb/values.ts';
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
  const change = toRecordedChange(fromAttributeValues(dynamodb.NewImage) as HistoryItem);
  if (Number.isNaN(Date.parse(change.changedAt))) throw new Error('The change has no valid time.');
  return buildEvents(change);
}

/** Sends events to the bus. Returns an error code for each event, or null for each event that the bus accepted. */
export type PutEvents = (events: readonly InvoiceEvent[]) => Promise<readonly (string | null)[]>;

/** A record whose event was not published, with the error. */
export interface Failure {
  readonly record: StreamRecord;
  readonly error: unknown;
}

/** The functions that `publishRecords` calls. */
interface Publication {
  readonly putEvents: PutEvents;
  readonly onPublished: (event: InvoiceEvent) => void;
  /** Receives each unreadable record, also in a retry. It is skipped, so that it does not block later records. */
  readonly onSkipped: (failure: Failure) => void;
}

interface Message {
  readonly record: StreamRecord;
  readonly event: InvoiceEvent;
}

/**
 * Publishes the events of records. The events of each invoice are published in order. Events that the bus rejects are
 * sent again until the deadline. Returns the first record whose event was not published by the deadline, or null.
 */
export async function publishRecords(
  records: readonly StreamRecord[],
  publication: Publication,
): Promise<Failure | null> {
  const messages = readMessages(records, publication.onSkipped);
  for (const batch of splitIntoBatches(messages)) {
    const failure = await putMessages(batch, publication);
    // The later batches are not published, because they can contain events of the same invoice.
    if (failure) return failure;
  }
  return null;
}

function readMessages(records: readonly StreamRecord[], onSkipped: Publication['onSkipped']): Message[] {
  const messages: Message[] = [];
  for (const record of records) {
    try {
      for (const event of readStreamEvents(record)) messages.push({ record, event });
    } catch (error) {
      onSkipped({ record, error });
    }
  }
  return messages;
}

// The maximum number of entries in a call of PutEvents. No 10 events have the maximum of 256 KB.
const BATCH_ENTRIES = 10;

/** Splits messages into batches. A batch never has two events of an invoice, because the bus can reject one of them. */
function splitIntoBatches(messages: readonly Message[]): Message[][] {
  const batches: Message[][] = [];
  let invoiceKeys = new Set<string>();
  for (const message of messages) {
    const { supplier_id: supplierId, invoice_id: invoiceId, tenant } = message.event.detail;
    const invoiceKey = `${tenant}#${supplierId}#${invoiceId}`;
    const batch = batches.at(-1);
    if (batch && batch.length < BATCH_ENTRIES && !invoiceKeys.has(invoiceKey)) batch.push(message);
    else {
      batches.push([message]);
      invoiceKeys = new Set();
    }
    invoiceKeys.add(invoiceKey);
  }
  return batches;
}

/** Sends a batch. Sends rejected messages again until the deadline. Returns the first unpublished record, or null. */
async function putMessages(
  batch: readonly Message[],
  { putEvents, onPublished }: Publication,
): Promise<Failure | null> {
  let remaining = batch;
  let error: unknown;
  for await (const _ of attempts()) {
    try {
      const errorCodes = await putEvents(remaining.map(({ event }) => event));
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

/** Creates the function that sends events to an EventBridge bus within the deadline. Each call makes one attempt. */
export function createEventBus(name: string): PutEvents {
  const client = new EventBridgeClient({
    maxAttempts: 1,
    sha256: SigningHash,
    requestHandler: { connectionTimeout: 3_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
  });
  return async (events) => {
    const command = new PutEventsCommand({
      Entries: events.map(({ type, time, detail }) => ({
        EventBusName: name,
        Source: EVENT_SOURCE,
        DetailType: type,
        Time: new Date(time),
        Detail: JSON.stringify(detail),
      })),
    });
    const abortSignal = getCurrentDeadline()?.signal;
    const { Entries: results = [] } = await client.send(command, { ...(abortSignal && { abortSignal }) });
    return events.map((_, index) => {
      const { EventId: eventId, ErrorCode: errorCode = 'NoAnswer' } = results[index] ?? {};
      return eventId === undefined ? errorCode : null;
    });
  };
}
