import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { buildEngineEnvironment } from '../../../infra/local/engine-client.ts';
import type { StreamRecord } from '../../../lib/events/publish-records.ts';
import { buildRevisionRecord, buildStreamRecord } from '../../support/data/stream-records.ts';
import { startFakeEventBus } from '../../support/fakes/fake-event-bus.ts';
import { useStarted } from '../../support/setup/use-started.ts';

const bus = useStarted(startFakeEventBus);
beforeEach(() => bus.reset());
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const readable = (sequenceNumber: string) => buildRevisionRecord({ invoiceId: sequenceNumber }, sequenceNumber);
const unreadable = (sequenceNumber: string) =>
  buildStreamRecord({ pk: 't.example#200#9001', sk: 1, declared_notes: 'a private note' }, sequenceNumber);

/** Invokes the function with a time limit; returns its result and the lines of its error log. */
async function publish(records: readonly StreamRecord[], limitMs = 10_000) {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const variables = {
    EVENT_BUS_NAME: 'bus',
    AWS_ENDPOINT_URL_EVENTBRIDGE: bus.url,
    METRICS_NAMESPACE: 'Portal',
    SERVICE_NAME: 'Portal-prod',
  };
  const all = { ...buildEngineEnvironment(bus.url), ...variables };
  for (const [name, value] of Object.entries(all)) vi.stubEnv(name, value);
  vi.resetModules();
  const { handler } = await import('../../../functions/publish-events.ts');
  const end = performance.now() + limitMs;
  const result = await handler({ Records: records }, { getRemainingTimeInMillis: () => end - performance.now() });
  return { result, lines: written.mock.calls.map(([line]) => JSON.parse(String(line)) as unknown) };
}

it('publish-events returns and logs the record from which Lambda must retry if the bus rejects it', async () => {
  bus.reject(':2:');
  const { result, lines } = await publish([readable('1'), readable('2'), readable('3')], 1_500);
  expect(result).toEqual({ batchItemFailures: [{ itemIdentifier: '2' }] });
  const keys = { pk: { S: 'portal.example#200#2' }, sk: { N: '2' } };
  expect(lines).toMatchObject([{ message: 'event not published', sequence_number: '2', keys }]);
  expect(bus.details()).toHaveLength(2);
});

it('publish-events skips a record that cannot be read, and logs its keys with a metric and without its content', async () => {
  const { result, lines } = await publish([readable('1'), unreadable('2'), readable('3')]);
  expect(result).toEqual({ batchItemFailures: [] });
  expect(lines).toMatchObject([
    {
      ...{ level: 'ERROR', message: 'event skipped', service: 'Portal-prod', sequence_number: '2' },
      ...{ keys: { pk: { S: 't.example#200#9001' }, sk: { N: '1' } }, EventsSkipped: 1 },
      _aws: { CloudWatchMetrics: [{ Namespace: 'Portal', Metrics: [{ Name: 'EventsSkipped' }] }] },
    },
  ]);
  expect(JSON.stringify(lines)).not.toContain('a private note');
  expect(bus.details()).toHaveLength(2);
});
