import { EventEmitter } from 'node:events';
import { marshall } from '@aws-sdk/util-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { findInvoice } from '../../../infra/ops/invoice-options.ts';
import { changeState } from '../../../infra/ops/review/set-state.ts';
import { createAdminPorts } from '../../../infra/ops/tables/admin-ports.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { readStreamEvent } from '../../../lib/events/publish-records.ts';
import { runWithinDeadline } from '../../../lib/runtime/request-scope.ts';
import { collectPages } from '../../../lib/runtime/pages.ts';
import { scanPages } from '../../../lib/tables/dynamodb/reads.ts';
import { declareAt } from '../../support/data/declare-one.ts';
import { newId } from '../../support/data/seed.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { startFakeEventBus } from '../../support/fakes/fake-event-bus.ts';
import { applyFile, lists, supplier } from '../../support/ops/apply-lists.ts';
import { runCli } from '../../support/ops/run-ops.ts';
import { useEngine } from '../../support/setup/use-engine.ts';
import { useStarted } from '../../support/setup/use-started.ts';

const engine = useEngine();
const bus = useStarted(startFakeEventBus);
let tenant: string;

/** Creates a tenant with three suppliers of two invoices each. */
async function createTenant(): Promise<string> {
  const name = `t${newId()}.example`;
  const suppliers = ['10', '11', '12'].map((id) => ({ ...supplier, supplier_id: id }));
  await applyFile(engine, name, { ...lists, suppliers });
  for (const { supplier_id: supplierId } of suppliers)
    await seedInvoices(
      engine,
      { tenant: name, supplierId },
      ['1', '2'].map((invoiceId) => buildInvoice({ invoiceId, systemAmount: decimal(1000) })),
    );
  return name;
}

beforeEach(async () => {
  bus.reset();
  tenant = await createTenant();
});

const declare = (supplierId: string, invoiceId: string, amount: number, at?: string) =>
  declareAt(engine, { tenant, supplierId }, { invoiceId, amount, ...(at !== undefined && { at }) });

async function setState(supplierId: string, invoiceId: string, state: 'APR' | 'REC' | 'LIQ', at: string) {
  const ports = createAdminPorts(engine);
  const found = await findInvoice(ports, { tenant, supplierId, invoiceId });
  const clock = { now: () => new Date(at) };
  await changeState(ports, found, state, { changedBy: 'carol', reason: 'Paid', force: true }, clock);
}

/** Writes a history entry without content. */
const writeEmptyEntry = (table: 'Invoices' | 'Declarations', key: { pk: string; sk: string | number }) =>
  engine.client.send(new PutCommand({ TableName: engine.tables[table], Item: key }));

interface Setting {
  readonly host?: EventEmitter;
  readonly busUrl?: string;
  /** The deadline of the command, which limits the retries of a rejected entry. */
  readonly deadlineMs?: number;
}

async function republish(args: readonly string[], { host, busUrl = bus.url, deadlineMs = 60_000 }: Setting = {}) {
  const end = performance.now() + deadlineMs;
  const env = { AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint, AWS_ENDPOINT_URL_EVENTBRIDGE: busUrl };
  return runWithinDeadline(
    () => end - performance.now(),
    () => runCli(['republish-events', tenant, ...args, '--local'], { env, ...(host && { host }) }),
  );
}
const ALL = ['--since', '2026-01-01'];
const readEventIds = () => bus.details().map(({ event_id: id }) => String(id).replaceAll(`${tenant}:`, ''));

/** Returns the details of the events that publish-events creates from the tables of the tenant. */
async function readOriginalDetails() {
  const tables = [engine.tables.Declarations, engine.tables.Invoices];
  const items = await Promise.all(
    tables.map((TableName) => collectPages(scanPages<object>(engine.client, { TableName, ConsistentRead: true }))),
  );
  const records = items.flat().map((item) => ({ eventName: 'INSERT', dynamodb: { NewImage: marshall(item) } }));
  const details = records
    .map((record) => readStreamEvent(record)?.detail)
    .filter((detail) => detail?.tenant === tenant);
  return JSON.parse(JSON.stringify(details)) as unknown[];
}

describe('republish-events', () => {
  it('republish-events publishes the events of all suppliers of a tenant with their original details and ids', async () => {
    const other = tenant;
    await declare('10', '1', 1000);
    tenant = await createTenant();
    await declare('10', '1', 1020);
    await declare('11', '2', 1500);
    await declare('11', '2', 1010);
    await setState('12', '1', 'LIQ', '2026-08-02T00:00:00.000Z');
    const run = await republish(ALL);
    expect(run).toEqual({
      code: 0,
      stdout: 'Published: 3 InvoiceDeclared, 1 InvoiceStateChanged, 0 InvoiceWithdrawn, 0 InvoiceRestored\n',
      stderr: '',
    });
    const original = await readOriginalDetails();
    expect(original).toHaveLength(4);
    expect(bus.details()).toEqual(expect.arrayContaining(original));
    expect(JSON.stringify(bus.details())).not.toContain(other);
    expect(readEventIds().toSorted()).toEqual([
      'InvoiceDeclared:10:1:1',
      'InvoiceDeclared:11:2:1',
      'InvoiceDeclared:11:2:2',
      'InvoiceStateChanged:12:1:2',
    ]);
  });

  it('republish-events publishes the events from --since to --until, both included, in the zone of --zone', async () => {
    const times = ['02:59:59.999', '03:00:00.000', '12:00:00.000'].map((time) => `2026-08-02T${time}Z`);
    const late = ['2026-08-03T02:59:59.999Z', '2026-08-03T03:00:00.000Z'];
    for (const [index, at] of [...times, ...late].entries()) await declare('10', '1', index + 1, at);
    await setState('10', '2', 'REC', times[0]!);
    await setState('10', '2', 'APR', times[1]!);
    await republish(['--since', '2026-08-02', '--until', '2026-08-02', '--zone', '-03:00']);
    expect(readEventIds()).toEqual([
      ...[2, 3, 4].map((revision) => `InvoiceDeclared:10:1:${revision}`),
      'InvoiceStateChanged:10:2:3',
    ]);
    bus.reset();
    await republish(['--since', times[2]!, '--until', times[2]!]);
    expect(readEventIds()).toEqual(['InvoiceDeclared:10:1:3']);
  });

  it.each([
    ['InvoiceStateChanged', ['InvoiceStateChanged:10:2:2']],
    ['InvoiceStateChanged, InvoiceDeclared', ['InvoiceDeclared:10:1:1', 'InvoiceStateChanged:10:2:2']],
  ])('republish-events --types publishes only events of the types %s', async (types, expected) => {
    await declare('10', '1', 1020);
    await setState('10', '2', 'LIQ', '2026-08-02T00:00:00.000Z');
    const { stdout } = await republish([...ALL, '--types', types, '--json']);
    expect(readEventIds()).toEqual(expected);
    const names = expected.map((id) => [id.split(':')[0]!, 1]);
    expect(JSON.parse(stdout)).toEqual({
      tenant,
      published: Object.fromEntries(names),
      unreadable: [],
      continue_from_supplier: null,
    });
  });

  it('republish-events ends with 3 if the bus keeps rejecting an entry, and continues at the printed supplier', async () => {
    for (const supplierId of ['10', '11', '12']) await declare(supplierId, '1', 1020);
    bus.reject(`${tenant}:11:`);
    const run = await republish(ALL, { deadlineMs: 2_000 });
    expect(run).toEqual({
      code: 3,
      stdout: 'Published: 1 InvoiceDeclared, 0 InvoiceStateChanged, 0 InvoiceWithdrawn, 0 InvoiceRestored\n',
      stderr: expect.stringMatching(
        /^failed {2}.*(ThrottlingException|aborted).*\nTo continue, run the command again with --from-supplier 11\.\n$/,
      ),
    });
    const document = JSON.parse((await republish([...ALL, '--json'], { deadlineMs: 2_000 })).stdout) as object;
    expect(document).toMatchObject({ continue_from_supplier: '11', error: expect.any(String) });
    bus.reset();
    expect(await republish([...ALL, '--from-supplier', '11'])).toMatchObject({ code: 0, stderr: '' });
    expect(readEventIds()).toEqual(['InvoiceDeclared:11:1:1', 'InvoiceDeclared:12:1:1']);
  });

  it('republish-events skips an entry that cannot be read, prints it, publishes the others and ends with 1', async () => {
    await declare('10', '1', 1020);
    await declare('10', '1', 1030);
    await setState('10', '2', 'LIQ', '2026-08-02T00:00:00.000Z');
    await writeEmptyEntry('Declarations', { pk: `${tenant}#10#1`, sk: 1 });
    await writeEmptyEntry('Invoices', { pk: `${tenant}#10`, sk: 'STATE#2#0000000001' });
    const { code, stdout, stderr } = await republish(ALL);
    expect([code, stdout]).toEqual([
      1,
      'Published: 1 InvoiceDeclared, 1 InvoiceStateChanged, 0 InvoiceWithdrawn, 0 InvoiceRestored; skipped: 2\n',
    ]);
    expect(stderr).toContain(`skipped  the entry ${tenant}#10#1 1 cannot be read: `);
    expect(stderr).toContain(`skipped  the entry ${tenant}#10 STATE#2#0000000001 cannot be read: `);
    expect(readEventIds()).toEqual(['InvoiceDeclared:10:1:2', 'InvoiceStateChanged:10:2:2']);
    const { unreadable } = JSON.parse((await republish([...ALL, '--json'])).stdout) as { unreadable: object[] };
    expect(unreadable).toMatchObject([{ pk: `${tenant}#10#1`, sk: '1' }, { sk: 'STATE#2#0000000001' }]);
  });

  it('republish-events ends with 130 after an interruption, and prints the supplier at which to continue', async () => {
    await declare('10', '1', 1020);
    await setState('10', '2', 'LIQ', '2026-08-02T00:00:00.000Z');
    const host = new EventEmitter();
    // The retries take longer than the poll, so that the command is interrupted during the first event.
    bus.reject('InvoiceDeclared', 5);
    const running = republish(ALL, { host });
    await expect.poll(() => bus.calls.length, { interval: 1 }).toBeGreaterThan(0);
    host.emit('SIGINT');
    expect(await running).toMatchObject({ code: 130, stderr: expect.stringContaining('--from-supplier 10.') });
    expect(readEventIds()).toEqual(['InvoiceDeclared:10:1:1']);
  });

  it.each<[what: string, args: string[], setting: Setting, reason: string]>([
    ['no --since', [], {}, "required option '--since <time>' not specified"],
    ['an --until before --since', [...ALL, '--until', '2025-12-31'], {}, '--until is before --since.'],
    ['an unknown type', [...ALL, '--types', 'InvoiceDeclared,Paid'], {}, 'The value must contain only InvoiceDeclared'],
    ['no event bus', ALL, { busUrl: 'http://127.0.0.1:9/' }, 'No event bus responds at http://127.0.0.1:9/'],
  ])('republish-events ends with 2 for %s, and publishes nothing', async (_, args, setting, reason) => {
    await declare('10', '1', 1020);
    const run = await republish(args, setting);
    expect(run).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(reason) });
    expect(bus.details()).toEqual([]);
  });

  it('republish-events ends with 2 for a tenant that does not exist', async () => {
    tenant = 'nobody.example';
    expect(await republish(ALL)).toMatchObject({ code: 2, stderr: 'Tenant nobody.example does not exist.\n' });
  });
});
