import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeAll, expect, it } from 'vitest';
import { createEngineClient } from '../../../infra/local/engine-client.ts';
import { parseDateRange } from '../../../lib/domain/date-range.ts';
import type { Invoice, SupplierScope } from '../../../lib/domain/invoice.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { createLruCache } from '../../../lib/runtime/lru-cache.ts';
import type { InvoiceLists } from '../../../lib/invoices/invoice-lists.ts';
import { type ListQuery, readInvoicePage } from '../../../lib/invoices/invoice-pages.ts';
import { meterCalls } from '../../../lib/tables/dynamodb/document-client.ts';
import { createDayIndexTable } from '../../../lib/tables/day-index-table.ts';
import { createInvoiceRows } from '../../../lib/tables/row-table.ts';
import { buildReferenceList } from '../../support/data/reference-list.ts';
import { changeInvoice, buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { newId } from '../../support/data/seed.ts';
import { measureCalls } from '../../support/engine/engine-proxy.ts';
import type { TestEngine } from '../../support/engine/engine.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { proves } from '../../rules/proves.ts';

/** Creates the lists of a new process, whose cache is empty. */
function createLists({ endpoint, tables }: TestEngine): InvoiceLists {
  const calls = createEngineClient(endpoint);
  // Asks the engine for the capacity of each call.
  meterCalls(calls);
  const client = DynamoDBDocumentClient.from(calls, { unmarshallOptions: { wrapNumbers: true } });
  return {
    rows: createInvoiceRows(client, tables.Invoices),
    indexes: createDayIndexTable(client, tables.DayIndexes, systemClock),
    memory: createLruCache(10_000_000),
  };
}

// The first day has more invoices than a query can read, and so has the month.
const INVOICES_PER_DAY = { '2026-03-01': 1020, '2026-03-02': 20, '2026-03-03': 10, '2026-03-04': 10 };

const portal = useWatchedPortal();
let scope: SupplierScope;
let invoices: readonly Invoice[];

beforeAll(async () => {
  scope = { tenant: 'indexes.example', supplierId: newId() };
  const all = Object.entries(INVOICES_PER_DAY).flatMap(([day, count], dayIndex) =>
    Array.from({ length: count }, (_, index) =>
      buildInvoice({
        invoiceId: `${2000 * (dayIndex + 1) + index}`,
        invoiceDate: `${day}T${10 + (index % 10)}:00:00Z`,
        accountName: index % 300 === 7 ? 'Señalización' : 'Grúas',
      }),
    ),
  );
  invoices = await seedInvoices(portal.engine, scope, all);
});

const buildQuery = (overrides: Partial<ListQuery> = {}): ListQuery => ({
  range: parseDateRange('2026-02-01', '2026-03-31'),
  state: null,
  search: '',
  limit: 5,
  offset: 0,
  ...overrides,
});

/** Reads a page that must equal the page of the reference list, and returns its cost. */
async function measurePage(lists: InvoiceLists, query: ListQuery) {
  let page: { ids: string[]; total: number } | undefined;
  const cost = await measureCalls(portal.proxy, async () => {
    const { rows, total } = await readInvoicePage(lists, scope, query);
    page = { ids: rows.map(({ invoiceId }) => invoiceId), total };
  });
  expect(page).toEqual(buildReferenceList(invoices, query));
  return cost;
}

/** Changes an invoice as an import does. */
async function updateInvoice(invoiceId: string, overrides: Partial<Invoice>): Promise<void> {
  expect(await changeInvoice(portal.engine, scope, invoiceId, overrides)).toBe(true);
  invoices = invoices.map((before) => (before.invoiceId === invoiceId ? { ...before, ...overrides } : before));
}

const search = buildQuery({ search: 'senal' });
// 1 unit for the counters, and 5 for the rows.
const pageOnly = { Invoices: { read: 6, write: 0 } };
// Half a unit for the index of a day, which needs no strong consistency.
const [oneIndex, allIndexes] = [1, 4].map((days) => ({ read: days * 0.5, write: 0 }));

it('the first search indexes a month of many rows, and later searches, also of other processes, read the indexes', async () => {
  const first = createLists(portal.proxy.engine);
  const { units } = await measurePage(first, search);
  expect(units.Invoices?.read).toBeGreaterThan(90);
  expect(units.DayIndexes).toMatchObject({ write: expect.any(Number) });

  expect((await measurePage(first, search)).units).toEqual(pageOnly);
  const other = createLists(portal.proxy.engine);
  expect(await measurePage(other, search)).toEqual({
    serialRoundTrips: 3,
    units: { ...pageOnly, DayIndexes: allIndexes },
  });
  expect((await measurePage(other, search)).units).toEqual(pageOnly);
});

it('a search indexes only the changed day again, and no day after a change that no list uses', async () => {
  proves('list-invoices/rule-4');
  const lists = createLists(portal.proxy.engine);
  await measurePage(lists, search);
  await updateInvoice('4005', { state: 'REV' });
  const { units } = await measurePage(lists, search);
  // The 20 rows of the day are read. The old index of the day is read, and a new index is stored.
  expect(units).toEqual({ Invoices: { read: 6 + 2, write: 0 }, DayIndexes: { read: 0.5, write: 1 } });
  expect((await measurePage(lists, search)).units).toEqual(pageOnly);
  await updateInvoice('4006', { city: 'Salta' });
  expect((await measurePage(lists, search)).units).toEqual(pageOnly);
  await updateInvoice('6008', { providerInvoice: { number: 'FE-SEÑAL-9', date: null } });
  await measurePage(lists, buildQuery({ search: 'fe-senal' }));
});

it('a page late in a day of many rows, and the count of a part of that day, use the index', async () => {
  proves('list-invoices/rule-4');
  await measurePage(createLists(portal.proxy.engine), search);
  const lists = createLists(portal.proxy.engine);
  // 1 unit for the counters, and 1 for the 5 rows.
  const lastPage = { Invoices: { read: 2, write: 0 } };
  expect(await measurePage(lists, buildQuery({ offset: 1055 }))).toEqual({
    serialRoundTrips: 3,
    units: { ...lastPage, DayIndexes: oneIndex },
  });
  expect(await measurePage(lists, buildQuery({ offset: 1055 }))).toEqual({ serialRoundTrips: 2, units: lastPage });
  const partialDay = parseDateRange('2026-03-01T00:00:01Z', '2026-03-31');
  await measurePage(lists, buildQuery({ range: partialDay, state: 'PEN', offset: 1054 }));
});
