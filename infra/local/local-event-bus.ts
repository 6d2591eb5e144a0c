import { randomUUID } from 'node:crypto';
import { buildJsonReply, type Reply } from './reply.ts';

interface PutEventsEntry {
  readonly Source: string;
  readonly DetailType: string;
  /** The time of the event in seconds since 1970. */
  readonly Time: number;
  readonly Detail: string;
}

/** The path at which the functions call EventBridge. */
export const EVENT_BRIDGE_PATH = '/_local/eventbridge/';

const MAX_EVENTS = 1000;

/** An event in the format that a target of EventBridge receives. */
export type BusEvent = ReturnType<typeof toBusEvent>;

/** Creates an emulation of EventBridge. `put` handles its operation PutEvents. `list` returns the latest 1,000 events. */
export function createEventBus() {
  let events: BusEvent[] = [];
  return {
    put: (body: string): Reply => {
      const { Entries: entries } = JSON.parse(body) as { Entries: readonly PutEventsEntry[] };
      const addedEvents = entries.map(toBusEvent);
      events = [...events, ...addedEvents].slice(-MAX_EVENTS);
      return buildJsonReply(200, { FailedEntryCount: 0, Entries: addedEvents.map(({ id }) => ({ EventId: id })) });
    },
    list: () => buildJsonReply(200, { events }),
  };
}

function toBusEvent(entry: PutEventsEntry) {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': entry.DetailType,
    source: entry.Source,
    account: '000000000000',
    // EventBridge sends times without milliseconds.
    time: new Date(entry.Time * 1000).toISOString().replace(/\.\d+/, ''),
    region: 'us-east-1',
    resources: [],
    detail: JSON.parse(entry.Detail) as unknown,
  };
}
