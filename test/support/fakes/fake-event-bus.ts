import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen, LOCAL_HOST } from '../../../infra/local/ports.ts';

/** Starts an HTTP server on a free port that accepts or rejects entries, as EventBridge does. */
export async function startFakeEventBus() {
  const details: Readonly<Record<string, unknown>>[] = [];
  let rejectedText: string | null = null;
  const putEvents = (body: string) => {
    const { Entries: entries } = JSON.parse(body) as { Entries: { Detail: string }[] };
    const results = entries.map(({ Detail }) => {
      if (rejectedText !== null && Detail.includes(rejectedText)) return { ErrorCode: 'ThrottlingException' };
      details.push(JSON.parse(Detail));
      return { EventId: 'id' };
    });
    return JSON.stringify({ FailedEntryCount: results.filter(({ ErrorCode }) => ErrorCode).length, Entries: results });
  };
  const server = createServer((request, response) => {
    void text(request).then((body) => response.end(putEvents(body)));
  });
  return {
    url: `http://${LOCAL_HOST}:${await listen(server, 0)}`,
    /** Returns the details of the events that the bus has accepted, oldest first. */
    details: (): readonly Readonly<Record<string, unknown>>[] => details,
    /** Rejects entries that contain the text. */
    reject: (containing: string) => void (rejectedText = containing),
    /** Accepts all entries again, and removes the recorded events. */
    reset() {
      details.length = 0;
      rejectedText = null;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
