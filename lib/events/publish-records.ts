import { EVENT_SOURCE, type InvoiceEvent } from '../contracts/events.ts';
import { attempts } from '../runtime/attempts.ts';
import { eventOf, type StreamRecord } from './history-records.ts';

/** An event as it goes onto the bus; `detail` is JSON. */
export interface BusEntry extends Pick<InvoiceEvent, 'type' | 'time'> {
  readonly detail: string;
}

/** Puts entries onto the bus, and says of each why it was not taken, or null. */
export type PutEvents = (entries: readonly BusEntry[]) => Promise<readonly (string | null)[]>;

/** The first record whose event is not published, and why: nothing after it of its invoice is. */
export interface Failure {
  readonly record: StreamRecord;
  readonly error: unknown;
}

interface Message {
  readonly record: StreamRecord;
  readonly event: InvoiceEvent;
  readonly entry: BusEntry;
}

/** What one call of PutEvents may hold. */
const CALL = { entries: 10, bytes: 256 * 1024 };
// What AWS counts for the time of an entry.
const TIME_BYTES = 14;

/**
 * Publishes the events of a stream's records, those of an invoice in order, and tells of each that is published. What
 * the bus does not take is put again until the deadline; then, and at a record that cannot be read, it ends with a
 * failure.
 */
export async function publishRecords(
  put: PutEvents,
  records: readonly StreamRecord[],
  published: (event: InvoiceEvent) => void,
): Promise<Failure | null> {
  const { messages, unreadable } = read(records);
  for (const call of callsOf(messages)) {
    const failure = await putAll(put, call, published);
    if (failure !== null) return failure;
  }
  return unreadable;
}

/** The messages up to the first record that cannot be read. */
function read(records: readonly StreamRecord[]): { messages: Message[]; unreadable: Failure | null } {
  const messages: Message[] = [];
  for (const record of records) {
    try {
      const event = eventOf(record);
      if (event) messages.push({ record, event, entry: { ...event, detail: JSON.stringify(event.detail) } });
    } catch (error) {
      return { messages, unreadable: { record, error } };
    }
  }
  return { messages, unreadable: null };
}

/**
 * Cuts messages into calls. A call has one event of an invoice at most: of two, the bus could take the second alone.
 */
export function callsOf<Each extends Pick<Message, 'event' | 'entry'>>(messages: readonly Each[]): Each[][] {
  const calls: Each[][] = [];
  let call: Each[] = [];
  let bytes = 0;
  let invoices = new Set<string>();
  for (const message of messages) {
    const { supplier_id: supplierId, invoice_id: invoiceId, tenant } = message.event.detail;
    const invoice = `${tenant}#${supplierId}#${invoiceId}`;
    const size = bytesOf(message.entry);
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

function bytesOf({ type, detail }: BusEntry): number {
  return TIME_BYTES + EVENT_SOURCE.length + type.length + Buffer.byteLength(detail);
}

async function putAll(
  put: PutEvents,
  call: readonly Message[],
  published: (event: InvoiceEvent) => void,
): Promise<Failure | null> {
  let left = call;
  let error: unknown;
  for await (const _ of attempts()) {
    try {
      const faults = await put(left.map(({ entry }) => entry));
      const isTaken = (index: number) => faults[index] === null;
      for (const [index, { event }] of left.entries()) if (isTaken(index)) published(event);
      error = new Error(`The bus has not taken it: ${faults.find((fault) => fault !== null)}.`);
      left = left.filter((_message, index) => !isTaken(index));
    } catch (thrown) {
      error = thrown;
    }
    if (left.length === 0) break;
  }
  const [first] = left;
  return first ? { record: first.record, error } : null;
}
