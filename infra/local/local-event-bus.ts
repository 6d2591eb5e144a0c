import { randomUUID } from 'node:crypto';
import { buildJsonReply, type Reply } from './http.ts';

/** An entry of PutEvents; `Time` is in Unix seconds. */
interface Entry {
  readonly Source: string;
  readonly DetailType: string;
  readonly Time: number;
  readonly Detail: string;
}

export const EVENT_BRIDGE_PATH = '/_local/eventbridge/';

const MAX_EVENTS = 1000;

/** An event as a rule of EventBridge sends the event to its target. */
export type BusEvent = ReturnType<typeof toBusEvent>;

/** Creates the responses that emulate EventBridge: `put` accepts events, `list` returns the last 1,000, oldest first. */
export function createEventBus() {
  const events: BusEvent[] = [];
  return {
    put: (body: string): Reply => {
      const { Entries: entries } = JSON.parse(body) as { Entries: readonly Entry[] };
      const added = entries.map(toBusEvent);
      events.push(...added);
      events.splice(0, events.length - MAX_EVENTS);
      return buildJsonReply(200, { FailedEntryCount: 0, Entries: added.map(({ id }) => ({ EventId: id })) });
    },
    list: () => buildJsonReply(200, { events }),
  };
}

function toBusEvent({ Source: source, DetailType: type, Time: seconds, Detail: detail }: Entry) {
  return {
    ...{ version: '0', id: randomUUID(), 'detail-type': type, source, account: '000000000000' },
    time: new Date(seconds * 1000).toISOString().replace(/\.\d+/, ''),
    ...{ region: 'us-east-1', resources: [], detail: JSON.parse(detail) as unknown },
  };
}
