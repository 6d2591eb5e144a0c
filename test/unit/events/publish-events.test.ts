import { afterEach, expect, it, vi } from 'vitest';
import { engineEnvironment } from '../../../infra/local/engine-client.ts';
import { LocalEventBus } from '../../../infra/local/local-event-bus.ts';
import { revisionRecord, streamRecord } from '../../support/data/stream-records.ts';
import { withServer } from '../../support/service/with-server.ts';

afterEach(() => void vi.unstubAllEnvs());

const readable = (sequenceNumber: string) => revisionRecord({ invoiceId: sequenceNumber }, sequenceNumber);
const unreadable = (sequenceNumber: string) => streamRecord({ pk: 't.example#200#9001', sk: 1 }, sequenceNumber);

it.each([
  ['no failed record if all are published', [readable('1'), readable('2')], [], 2],
  [
    'the record from which Lambda must retry if one cannot be published',
    [readable('1'), unreadable('2'), readable('3')],
    [{ itemIdentifier: '2' }],
    1,
  ],
])('publish-events returns %s', async (_, records, batchItemFailures, published) => {
  const bus = new LocalEventBus();
  const result = await withServer(
    (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => response.end(bus.put(String(Buffer.concat(parts))).body));
    },
    async (url) => {
      const variables = { EVENT_BUS_NAME: 'bus', AWS_ENDPOINT_URL_EVENTBRIDGE: url, POWERTOOLS_LOG_LEVEL: 'SILENT' };
      const all = { ...engineEnvironment(url), ...variables };
      for (const [name, value] of Object.entries(all)) vi.stubEnv(name, value);
      vi.resetModules();
      const { handler } = await import('../../../functions/publish-events.ts');
      return handler({ Records: records }, { getRemainingTimeInMillis: () => 60_000 });
    },
  );
  expect(result).toEqual({ batchItemFailures });
  expect(bus.events).toHaveLength(published);
});
