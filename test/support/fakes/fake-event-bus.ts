import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen, localHost } from '../../../infra/local/ports.ts';

/** An HTTP server that accepts or rejects entries, as EventBridge does. */
export interface FakeEventBus {
  readonly url: string;
  /** The details of the events that the bus has accepted, oldest first. */
  readonly details: () => readonly Readonly<Record<string, unknown>>[];
  /** The number of entries in each call that is not empty. */
  readonly calls: readonly number[];
  /** Rejects entries that contain the text, by default without limit. */
  readonly reject: (containing: string, times?: number) => void;
  /** Accepts all entries again, and removes the recorded events and calls. */
  readonly reset: () => void;
  readonly close: () => Promise<unknown>;
}

/** Starts a fake event bus on a free port. */
export async function startFakeEventBus(): Promise<FakeEventBus> {
  const details: Readonly<Record<string, unknown>>[] = [];
  const calls: number[] = [];
  const rejections = new Map<string, number>();
  const isRejected = ({ Detail }: { readonly Detail: string }) => {
    const [matchingText, times = 0] =
      [...rejections].find(([part, remaining]) => remaining > 0 && Detail.includes(part)) ?? [];
    if (matchingText !== undefined) rejections.set(matchingText, times - 1);
    return matchingText !== undefined;
  };
  const putEvents = (body: string) => {
    const { Entries: entries } = JSON.parse(body) as { Entries: { Detail: string }[] };
    if (entries.length > 0) calls.push(entries.length);
    const rejected = entries.map(isRejected);
    details.push(...entries.flatMap(({ Detail }, index) => (rejected[index] ? [] : [JSON.parse(Detail)])));
    const results = rejected.map((isEntryRejected) =>
      isEntryRejected ? { ErrorCode: 'ThrottlingException' } : { EventId: 'id' },
    );
    return JSON.stringify({ FailedEntryCount: rejected.filter(Boolean).length, Entries: results });
  };
  const server = createServer((request, response) => {
    void text(request).then((body) => response.end(putEvents(body)));
  });
  return {
    url: `http://${localHost}:${await listen(server, 0)}`,
    details: () => details,
    calls,
    reject: (containing, times = Number.POSITIVE_INFINITY) => void rejections.set(containing, times),
    reset() {
      details.length = 0;
      calls.length = 0;
      rejections.clear();
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
