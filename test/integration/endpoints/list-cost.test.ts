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
  few = await callerWith(10, (index) => index * 6);
  many = await callerWith(DAYS * PER_DAY, (index) => Math.floor(index / PER_DAY));
});

async function callerWith(count: number, dayOf: (index: number) => number) {
  const { account, call } = await portal.newCaller();
  const invoices = Array.from({ length: count }, (_, index) =>
    buildInvoice({
      invoiceId: String(1_000_000 + index),
      invoiceDate: new Date(startMs + dayOf(index) * DAY_MS + (index % PER_DAY) * 60_000).toISOString(),
      state: STATE_CODES[index % STATE_CODES.length] ?? 'PEN',
      accountName: index % 3 === 0 ? 'Señalización' : 'Grúas',
    }),
  );
  await seedInvoices(portal.engine, account.scope, invoices);
  await call('list-invoices', { query: range });
  return call;
}

/** What a page costs: its round trips, and the read units of the counters and of each query of rows, most first. */
async function costOfPage(call: Invoke, query: NonNullable<TestRequest['query']>) {
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
  // The counters of these 60 days: 1 unit (4 KB) when 10 of them hold anything, 3 when each has invoices in every
  // state. They grow with days, states and shards, never with the invoices that they count.
  const counters = { few: 1, many: 3 };

  it('costs the same among 10 and among 3,000 invoices, but for the size of the counters', async () => {
    expect(await costOfPage(few, { limit: 2 })).toEqual({ serialRoundTrips: 1, reads: [counters.few, 1] });
    expect(await costOfPage(many, { limit: 8 })).toEqual({ serialRoundTrips: 1, reads: [counters.many, 1] });
  });

  it('costs a round trip more when it needs more rows than the last month has, and reads the others side by side', async () => {
    expect(await costOfPage(few, { limit: 10 })).toEqual({ serialRoundTrips: 2, reads: [counters.few, 1, 1, 1] });
  });

  it.each([
    ['at an offset of 1,500 what it costs at the beginning', (DAYS / 2) * PER_DAY, [counters.many, 1]],
    ['at the end of a day the newer rows of that day in addition', DAYS * PER_DAY - 8, [6, counters.many]],
  ])('costs %s', async (_, offset, reads) => {
    expect(await costOfPage(many, { limit: 8, offset })).toEqual({ serialRoundTrips: 3, reads });
  });

  it('costs the same with a status filter', async () => {
    expect(await costOfPage(many, { limit: 8, status: 'APR' })).toEqual({
      serialRoundTrips: 1,
      reads: [counters.many, 1],
    });
  });
});

describe('a search', () => {
  it('reads each row once, also in the parts of days at the ends of its range: one query for each month', async () => {
    const ends = { startdate: '2026-01-20T00:00:01Z', enddate: '2026-03-20T23:00:00Z' };
    const { body } = await few('list-invoices', { query: { ...ends, search: 'gruas' } });
    expect(body.meta).toMatchObject({ total: 6 });
    expect(portal.proxy.calls.filter(({ tables }) => tables.includes('Invoices'))).toHaveLength(4);
  });
});
