import { randomUUID } from 'node:crypto';
import { jsonReply, type Reply } from './replies.ts';

/** An event as a rule of EventBridge sends it to its target. */
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

/** An entry of PutEvents; `Time` is in Unix seconds. */
interface Entry {
  readonly Source: string;
  readonly DetailType: string;
  readonly Time: number;
  readonly Detail: string;
}

/** The path at which the gateway emulates EventBridge. */
export const EVENT_BRIDGE_PATH = '/_local/eventbridge/';

const MAX_EVENTS = 1000;

/** Emulates EventBridge: accepts events, and returns the last 1,000, oldest first. */
export class LocalEventBus {
  readonly #events: BusEvent[] = [];

  /** The events, oldest first. */
  get events(): readonly BusEvent[] {
    return this.#events;
  }

  /** Responds to a call of PutEvents. */
  readonly put = (body: string): Reply => {
    const { Entries: entries } = JSON.parse(body) as { Entries: readonly Entry[] };
    const events = entries.map(toBusEvent);
    this.#events.push(...events);
    this.#events.splice(0, this.#events.length - MAX_EVENTS);
    return jsonReply(200, { FailedEntryCount: 0, Entries: events.map(({ id }) => ({ EventId: id })) });
  };

  /** Returns the events as a response. */
  readonly list = (): Reply => jsonReply(200, { events: this.#events });
}

function toBusEvent({ Source: source, DetailType: type, Time: seconds, Detail: detail }: Entry): BusEvent {
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
