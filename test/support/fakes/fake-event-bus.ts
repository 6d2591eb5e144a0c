import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen, LOCAL_HOST } from '../../../infra/local/ports.ts';

/** Starts an HTTP server on a free port that accepts or rejects entries, as EventBridge does. */
export async function startFakeEventBus() {
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
    url: `http://${LOCAL_HOST}:${await listen(server, 0)}`,
    /** Returns the details of the events that the bus has accepted, oldest first. */
    details: (): readonly Readonly<Record<string, unknown>>[] => details,
    /** The number of entries in each call that is not empty. */
    calls,
    /** Rejects entries that contain the text, by default without limit. */
    reject: (containing: string, times = Number.POSITIVE_INFINITY) => void rejections.set(containing, times),
    /** Accepts all entries again, and removes the recorded events and calls. */
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
