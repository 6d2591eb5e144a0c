import { EventEmitter } from 'node:events';
import { marshall } from '@aws-sdk/util-dynamodb';
import { beforeEach, expect, it } from 'vitest';
import { readStreamEvents } from '../../../lib/events/publish-records.ts';
import { runWithinDeadline } from '../../../lib/runtime/request-scope.ts';
import { collectPages } from '../../../lib/runtime/pages.ts';
import { scanPages } from '../../../lib/tables/dynamodb/reads.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { startFakeEventBus } from '../../support/fakes/fake-event-bus.ts';
import { createOpsTenant, type OpsTenant } from '../../support/ops/ops-tenant.ts';
import { runCli } from '../../support/ops/run-ops.ts';
import { useEngine } from '../../support/setup/use-engine.ts';
import { useStarted } from '../../support/setup/use-started.ts';

const engine = useEngine();
const bus = useStarted(startFakeEventBus);
let company: OpsTenant;

// The supplier 10 has the invoices 1, 2 and 3.
beforeEach(async () => {
  bus.reset();
  company = await createOpsTenant(engine);
  await seedInvoices(
    engine,
    company.scope,
    ['1', '2', '3'].map((invoiceId) => buildInvoice({ invoiceId })),
  );
});

const declare = (invoiceId: string, at: string, amount = 900) =>
  company.declare(invoiceId, amount, { now: new Date(at) });

interface Setting {
  readonly host?: EventEmitter;
  readonly busUrl?: string;
  /** The deadline of the command, which limits the retries of a rejected event. */
  readonly deadlineMs?: number;
}

function republish(args: readonly string[], setting: Setting = {}) {
  const { host, busUrl = bus.url, deadlineMs = 60_000 } = setting;
  const end = performance.now() + deadlineMs;
  const env = { AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint, AWS_ENDPOINT_URL_EVENTBRIDGE: busUrl };
  return runWithinDeadline(
    () => end - performance.now(),
    () => runCli(['republish-events', company.tenant, ...args, '--local'], { env, ...(host && { host }) }),
  );
}

/** Returns the ids of the published events without tenant and time, such as `InvoiceDeclared:10:1:1`. */
const readEventIds = () =>
  bus.details().map(({ event_id: id }) => String(id).split(':').toSpliced(1, 1).slice(0, 4).join(':'));

/** Returns the details of the events that the stream of the table has published for the tenant. */
async function readStreamDetails(): Promise<unknown[]> {
  const items = await collectPages(scanPages<object>(engine.client, { TableName: engine.tables.Declarations }));
  const records = items.map((item) => ({ eventName: 'INSERT', dynamodb: { NewImage: marshall(item) } }));
  const details = records.flatMap((record) => readStreamEvents(record)).map(({ detail }) => detail);
  const own = details.filter(({ tenant }) => tenant === company.tenant);
  const byTime = own.toSorted((one, other) => (getTime(one) < getTime(other) ? -1 : 1));
  return JSON.parse(JSON.stringify(byTime)) as unknown[];
}
const getTime = (detail: { declared_at: string } | { changed_at: string }) =>
  'declared_at' in detail ? detail.declared_at : detail.changed_at;

it('republish-events publishes the same events as the stream of the table, in the order of time', async () => {
  await company.declare('1', 900);
  await company.run('set-state', '1', 'LIQ', '--reason', 'Paid');
  await company.run('withdraw-invoice', '2', '--reason', 'Twice');
  await company.run('restore-invoice', '2', '--reason', 'Once');
  // One change with two events, and one without an event.
  await company.importRecords([{ invoice_id: '3', declared_amount: 5, state_code: 'ENV', system_amount: 1000 }]);
  await company.importRecords([{ invoice_id: '3', city: 'Salta' }]);
  const stdout = 'Published: 6 events\n';
  const since = new Date(Date.now() - 60_000).toISOString();
  expect(await republish(['--since', since])).toEqual({ code: 0, stdout, stderr: '' });
  expect(bus.details()).toEqual(await readStreamDetails());
  expect(readEventIds()).toEqual([
    'InvoiceDeclared:10:1:1',
    'InvoiceStateChanged:10:1:3',
    'InvoiceWithdrawn:10:2:2',
    'InvoiceRestored:10:2:3',
    'InvoiceDeclared:10:3:1',
    'InvoiceStateChanged:10:3:2',
  ]);
});

it('republish-events publishes the events from --since to --until, both included, in the zone of --zone', async () => {
  const times = ['2026-08-02T02:59:59.999Z', '2026-08-02T03:00Z', '2026-08-03T02:59:59.999Z', '2026-08-03T03:00Z'];
  for (const [index, at] of times.entries()) await declare('1', at, index + 1);
  await republish(['--since', '2026-08-02', '--until', '2026-08-02', '--zone', '-03:00']);
  expect(readEventIds()).toEqual(['InvoiceDeclared:10:1:2', 'InvoiceDeclared:10:1:3']);
});

it('republish-events ends with 3 if the bus keeps rejecting an event, and continues at the printed time', async () => {
  for (const id of ['1', '2', '3']) await declare(id, `2026-08-0${id}T10:00Z`);
  bus.reject(`${company.tenant}:10:2:`);
  const since = ['--since', '2026-08-01'];
  expect(await republish(since, { deadlineMs: 2_000 })).toEqual({
    code: 3,
    stdout: 'Published: 1 event\n',
    stderr: expect.stringMatching(
      /^failed {2}.*(ThrottlingException|aborted).*\nTo continue, run the command again with --since 2026-08-02T10:00:00\.000Z\.\n$/,
    ),
  });
  bus.reset();
  const run = await republish(['--since', '2026-08-02T10:00:00.000Z', '--json']);
  expect(JSON.parse(run.stdout)).toEqual({ tenant: company.tenant, published: 2, continue_since: null });
  expect(readEventIds()).toEqual(['InvoiceDeclared:10:2:1', 'InvoiceDeclared:10:3:1']);
});

it('republish-events ends with 130 after an interruption, and prints the time at which to continue', async () => {
  for (const id of ['1', '2']) await declare(id, `2026-08-0${id}T10:00Z`);
  const host = new EventEmitter();
  // The retries take longer than the poll, so that the command is interrupted during the first event.
  bus.reject('InvoiceDeclared', 5);
  const running = republish(['--since', '2026-08-01'], { host });
  await expect.poll(() => bus.calls.length, { interval: 1 }).toBeGreaterThan(0);
  host.emit('SIGINT');
  const stderr = 'To continue, run the command again with --since 2026-08-02T10:00:00.000Z.\n';
  expect(await running).toEqual({ code: 130, stdout: 'Published: 1 event\n', stderr });
  expect(readEventIds()).toEqual(['InvoiceDeclared:10:1:1']);
});

it('republish-events ends with 2 if no event bus responds, and publishes nothing', async () => {
  await declare('1', '2026-08-01T10:00Z');
  const run = await republish(['--since', '2026-01-01'], { busUrl: 'http://127.0.0.1:9/' });
  const error = 'No event bus responds at http://127.0.0.1:9/';
  expect(run).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(error) });
});
