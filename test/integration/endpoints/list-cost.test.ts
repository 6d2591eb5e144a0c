import { beforeAll, describe, expect, it } from 'vitest';
import { STATE_CODES } from '../../../lib/domain/invoice-states.ts';
import { DAY_MS } from '../../../lib/domain/iso-date.ts';
import { measureCalls } from '../../support/engine/engine-proxy.ts';
import type { Invoke } from '../../support/service/handlers.ts';
import type { TestRequest } from '../../support/service/proxy-event.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';

const DAYS = 60;
const PER_DAY = 50;
const range = { startdate: '2026-01-20', enddate: '2026-03-20' };
const startMs = Date.parse(range.startdate);

const portal = useWatchedPortal();
let few: Invoke;
let many: Invoke;
beforeAll(async () => {
  few = await createCaller(10, (index) => index * 6);
  many = await createCaller(DAYS * PER_DAY, (index) => Math.floor(index / PER_DAY));
});

async function createCaller(count: number, toDay: (index: number) => number) {
  const { account, call } = await portal.newCaller();
  const invoices = Array.from({ length: count }, (_, index) =>
    buildInvoice({
      invoiceId: String(1_000_000 + index),
      invoiceDate: new Date(startMs + toDay(index) * DAY_MS + (index % PER_DAY) * 60_000).toISOString(),
      state: STATE_CODES[index % STATE_CODES.length] ?? 'PEN',
      accountName: index % 3 === 0 ? 'Señalización' : 'Grúas',
    }),
  );
  await seedInvoices(portal.engine, account.scope, invoices);
  await call('list-invoices', { query: range });
  return call;
}

/** Reads a page. Returns its round trips, and the read units of counters and of each query of rows, largest first. */
async function measurePage(call: Invoke, query: NonNullable<TestRequest['query']>) {
  const { serialRoundTrips, units } = await measureCalls(portal.proxy, async () => {
    const { body } = await call('list-invoices', { query: { ...range, ...query } });
    expect(body.data.rows.length).toBe(query['limit']);
  });
  expect(units).toMatchObject({ Directory: { read: 5 }, RateCounters: { write: 1 }, Invoices: { write: 0 } });
  const queries = portal.proxy.calls.filter(({ tables }) => tables.includes('Invoices'));
  const reads = queries.map(({ units: [charged] }) => charged?.read ?? 0);
  return { serialRoundTrips, reads: reads.toSorted((a, b) => b - a) };
}

describe('a page of 8 rows without a search', () => {
  // The counters of these 60 days cost 1 unit (4 KB) if 10 days have invoices, and 3 if each day has invoices in every
  // state. Their size depends on days, states and shards, not on the number of invoices.
  const counters = { few: 1, many: 3 };

  it('a page costs the same in a list of 10 and of 3,000 invoices, except for the size of the counters', async () => {
    expect(await measurePage(few, { limit: 2 })).toEqual({ serialRoundTrips: 1, reads: [counters.few, 1] });
    expect(await measurePage(many, { limit: 8 })).toEqual({ serialRoundTrips: 1, reads: [counters.many, 1] });
  });

  it('a page that needs rows of earlier months costs one more round trip, which reads these months in parallel', async () => {
    expect(await measurePage(few, { limit: 10 })).toEqual({ serialRoundTrips: 2, reads: [counters.few, 1, 1, 1] });
  });

  it.each([
    ['only its own rows at the beginning of a day', (DAYS / 2) * PER_DAY, [counters.many, 1]],
    ['also the newer rows of its day at the end of a day', DAYS * PER_DAY - 8, [6, counters.many]],
  ])('a page with an offset costs 3 round trips, and reads %s', async (_, offset, reads) => {
    expect(await measurePage(many, { limit: 8, offset })).toEqual({ serialRoundTrips: 3, reads });
  });

  it('a page costs the same with a status filter', async () => {
    expect(await measurePage(many, { limit: 8, status: 'APR' })).toEqual({
      serialRoundTrips: 1,
      reads: [counters.many, 1],
    });
  });
});

describe('a search', () => {
  it('a search reads each row once with one query for each month, also in a range that begins and ends within a day', async () => {
    const ends = { startdate: '2026-01-20T00:00:01Z', enddate: '2026-03-20T23:00:00Z' };
    const { body } = await few('list-invoices', { query: { ...ends, search: 'gruas' } });
    expect(body.meta).toMatchObject({ total: 6 });
    expect(portal.proxy.calls.filter(({ tables }) => tables.includes('Invoices'))).toHaveLength(4);
  });
});
