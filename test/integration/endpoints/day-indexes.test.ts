import { randomBytes } from 'node:crypto';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { engineClient } from '../../../infra/local/engine-client.ts';
import { parseDateRange } from '../../../lib/domain/date-range.ts';
import type { Invoice, SupplierScope } from '../../../lib/domain/invoice.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { createLruCache } from '../../../lib/runtime/lru-cache.ts';
import { createDayIndexes } from '../../../lib/services/day-indexes.ts';
import type { InvoiceLists } from '../../../lib/services/invoice-lists.ts';
import { type ListQuery, readInvoicePage } from '../../../lib/services/invoice-pages.ts';
import { meterCalls } from '../../../lib/storage/dynamodb/document-client.ts';
import { createDayIndexTable } from '../../../lib/storage/invoices/day-index-table.ts';
import { createInvoiceTransaction } from '../../../lib/storage/invoices/invoice-transaction.ts';
import { createInvoiceRows } from '../../../lib/storage/invoices/row-table.ts';
import { referenceList } from '../../support/data/reference-list.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { newId } from '../../support/data/seed.ts';
import { costOf } from '../../support/engine/engine-proxy.ts';
import type { TestEngine } from '../../support/engine/engine.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';

/** What a process of its own reads lists with: it remembers nothing yet, and at most `rememberedBytes`. */
function listProcess({ endpoint, tables }: TestEngine, rememberedBytes = 10_000_000): InvoiceLists {
  const calls = engineClient(endpoint);
  // Asks the engine for the capacity that a call takes.
  meterCalls(calls, () => undefined);
  const client = DynamoDBDocumentClient.from(calls, { unmarshallOptions: { wrapNumbers: true } });
  const rows = createInvoiceRows(client, tables.Invoices);
  const store = createDayIndexTable(client, tables.DayIndexes, systemClock);
  return { rows, indexes: createDayIndexes(rows, store, createLruCache(rememberedBytes)) };
}

const DAYS = ['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02'];
const PER_DAY = 120;

const portal = useWatchedPortal();
let scope: SupplierScope;
let invoices: readonly Invoice[];

/** The invoices of a supplier who has so many on each of the days. */
async function newSupplier(perDay: number): Promise<void> {
  scope = { tenant: 'indexes.example', supplierId: newId() };
  const all = DAYS.flatMap((day, days) =>
    Array.from({ length: perDay }, (_, at) =>
      anInvoice({
        invoiceId: `${1000 * (days + 1) + at}`,
        invoiceDate: `${day}T${10 + (at % 10)}:00:00Z`,
        accountName: at % 40 === 7 ? 'Señalización' : 'Grúas',
        state: at % 3 === 0 ? 'APR' : 'PEN',
      }),
    ),
  );
  invoices = await seedInvoices(portal.engine, scope, all);
}

const query = (over: Partial<ListQuery> = {}): ListQuery => ({
  range: parseDateRange('2026-02-01', '2026-03-31'),
  state: null,
  search: '',
  limit: 5,
  offset: 0,
  ...over,
});

/** What a page costs, when it is what reading everything and filtering gives. */
async function costOfPage(lists: InvoiceLists, asked: ListQuery) {
  let page: { ids: string[]; total: number } | undefined;
  const cost = await costOf(portal.proxy, async () => {
    const { rows, total } = await readInvoicePage(lists, scope, asked);
    page = { ids: rows.map(({ invoiceId }) => invoiceId), total };
  });
  expect(page).toEqual(referenceList(invoices, asked));
  return cost;
}

/** Changes an invoice as an import does. */
async function change(invoiceId: string, overrides: Partial<Invoice>): Promise<void> {
  const { Invoices, Declarations } = portal.engine.tables;
  const commit = createInvoiceTransaction(portal.engine.client, { invoices: Invoices, declarations: Declarations });
  invoices = await Promise.all(
    invoices.map(async (before) => {
      if (before.invoiceId !== invoiceId) return before;
      const after = { ...before, ...overrides, version: before.version + 1 };
      expect((await commit(scope, [{ before, after, revisions: [] }], 0)).kind).toBe('committed');
      return after;
    }),
  );
}

describe('the indexes of days with many rows', () => {
  const search = query({ search: 'senal' });
  beforeAll(() => newSupplier(PER_DAY));

  it('are made by the search that had to read the rows, and spare all others that', async () => {
    const first = listProcess(portal.proxy.engine);
    const { units } = await costOfPage(first, search);
    expect(units.Invoices?.read).toBeGreaterThan(50);
    expect(units.DayIndexes).toMatchObject({ write: expect.any(Number) });

    // The counters 1 unit, and 5 rows.
    expect((await costOfPage(first, search)).units).toEqual({ Invoices: { read: 6, write: 0 } });
    // Half a unit for each index, for it needs no strong consistency.
    const other = listProcess(portal.proxy.engine);
    expect(await costOfPage(other, search)).toEqual({
      serialRoundTrips: 3,
      units: { Invoices: { read: 6, write: 0 }, DayIndexes: { read: DAYS.length * 0.5, write: 0 } },
    });
    expect((await costOfPage(other, search)).units).toEqual({ Invoices: { read: 6, write: 0 } });
  });

  it('find what a filter finds, by state, in parts of days, at any offset [list-invoices/rule-4]', async () => {
    const lists = listProcess(portal.proxy.engine);
    const parts = parseDateRange('2026-02-27T12:30:00Z', '2026-03-02T13:00:00Z');
    for (const asked of [
      query({ search: 'SEÑAL', offset: 7 }),
      query({ search: 'senal', state: 'APR' }),
      query({ search: 'gru', limit: 100, offset: 300 }),
      query({ search: 'gru', range: parts, limit: 100, offset: 200 }),
      query({ search: '1007' }),
      query({ search: 'nothing' }),
    ])
      await costOfPage(lists, asked);
  });

  it('are made anew only of the day that was changed [list-invoices/rule-4]', async () => {
    const lists = listProcess(portal.proxy.engine);
    await costOfPage(lists, search);
    await change('2005', { state: 'REV' });
    const { units } = await costOfPage(lists, search);
    const dayReads = (units.Invoices?.read ?? 0) - 6;
    expect(dayReads).toBeGreaterThan(5);
    expect(dayReads).toBeLessThan(20);
    // The old index of the day is read, and a new one left.
    expect(units.DayIndexes).toEqual({ read: 0.5, write: expect.any(Number) });
    expect((await costOfPage(lists, search)).units).toEqual({ Invoices: { read: 6, write: 0 } });
    // What no list and no search goes by.
    await change('2006', { city: 'Salta' });
    expect((await costOfPage(lists, search)).units).toEqual({ Invoices: { read: 6, write: 0 } });
  });

  it('tell of a searched text that is another, in the same state [list-invoices/rule-4]', async () => {
    const lists = listProcess(portal.proxy.engine);
    await costOfPage(lists, search);
    await change('3008', { accountName: 'Otra señal' });
    await costOfPage(lists, search);
    await change('3008', { providerInvoice: { number: 'FE-SEÑAL-9', date: null }, accountName: null });
    await costOfPage(lists, query({ search: 'fe-senal' }));
  });

  it('can do without their table', async () => {
    await change('1001', { accountName: newId() });
    portal.proxy.fail({ table: 'DayIndexes', how: 'throttle' });
    const lists = listProcess(portal.proxy.engine);
    await costOfPage(lists, search);
    expect((await costOfPage(lists, search)).units).toEqual({ Invoices: { read: 6, write: 0 } });
  });
});

describe('a supplier with few invoices a day', () => {
  it('has no index, and no unit more', async () => {
    await newSupplier(10);
    const lists = listProcess(portal.proxy.engine);
    // The counters, and the rows of two months.
    expect((await costOfPage(lists, query({ search: 'senal' }))).units).toEqual({ Invoices: { read: 5, write: 0 } });
    expect((await costOfPage(lists, query({ offset: 15 }))).units).toEqual({ Invoices: { read: 2, write: 0 } });
  });
});

describe('the index of a day that is larger than an item', () => {
  it('is left in parts, and found by others', { tags: 'long' }, async () => {
    scope = { tenant: 'indexes.example', supplierId: newId() };
    // What cannot be compressed: 4,000 entries of 200 bytes.
    const random = () => randomBytes(100).toString('hex');
    invoices = await seedInvoices(
      portal.engine,
      scope,
      Array.from({ length: 4000 }, () => anInvoice({ invoiceDate: '2026-03-01', accountName: random() })),
    );
    const search = query({ search: 'abc' });
    const { units } = await costOfPage(listProcess(portal.proxy.engine), search);
    expect(units.DayIndexes?.write).toBeGreaterThan(400);
    const other = await costOfPage(listProcess(portal.proxy.engine), search);
    expect(other.units.Invoices).toEqual({ read: 6, write: 0 });
    // The first parts of all days, then the others, then the rows.
    expect(other.serialRoundTrips).toBe(4);
  });
});
