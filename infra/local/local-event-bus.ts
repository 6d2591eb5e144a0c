import { randomUUID } from 'node:crypto';
import { jsonReply, type Reply } from './replies.ts';

/** An event as a rule hands it to its target. */
export interface BusEvent {
  readonly version: '0';
  readonly id: string;
  readonly 'detail-type': string;
  readonly source: string;
  readonly account: string;
  readonly time: string;
  readonly region: string;
  readonly resources: readonly string[];
  readonly detail: unknown;
}

/** What PutEvents is told of an event; `Time` is in Unix seconds. */
interface Entry {
  readonly Source: string;
  readonly DetailType: string;
  readonly Time: number;
  readonly Detail: string;
}

const MAX_EVENTS = 1000;

/** Stands in for EventBridge: takes what is put, and shows the last 1,000 events, the newest last. */
export class LocalEventBus {
  readonly #events: BusEvent[] = [];

  /** The events, oldest first. */
  get events(): readonly BusEvent[] {
    return this.#events;
  }

  /** Answers a call of PutEvents. */
  readonly put = (body: string): Reply => {
    const { Entries: entries } = JSON.parse(body) as { Entries: readonly Entry[] };
    const events = entries.map(busEvent);
    this.#events.push(...events);
    this.#events.splice(0, this.#events.length - MAX_EVENTS);
    return jsonReply(200, { FailedEntryCount: 0, Entries: events.map(({ id }) => ({ EventId: id })) });
  };

  /** Answers who asks for the events. */
  readonly list = (): Reply => jsonReply(200, { events: this.#events });
}

function busEvent({ Source: source, DetailType: type, Time: seconds, Detail: detail }: Entry): BusEvent {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': type,
    source,
    account: '000000000000',
    time: new Date(seconds * 1000).toISOString().replace(/\.\d+/, ''),
    region: 'us-east-1',
    resources: [],
    detail: JSON.parse(detail),
  };
}
