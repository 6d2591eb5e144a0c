import type { Context } from 'aws-lambda';
import fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { listInvoicesContract } from '../../../lib/contracts/list-invoices.ts';
import { parseDateRange } from '../../../lib/domain/date-range.ts';
import { STATE_CODES } from '../../../lib/domain/invoice-states.ts';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import { type ListQuery, readInvoicePage } from '../../../lib/invoices/invoice-pages.ts';
import { pause } from '../../../lib/runtime/attempts.ts';
import { createTableClient } from '../../../lib/tables/dynamodb/table-client.ts';
import { createInvoiceLists } from '../../../lib/tables/invoice-lists.ts';
import { buildReferenceList } from '../../support/data/reference-list.ts';
import { newId, seedAccount } from '../../support/data/seed.ts';
import { buildDeclaration, buildInvoice, changeInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import type { Fault } from '../../support/engine/engine-faults.ts';
import { buildHeaders } from '../../support/service/handlers.ts';
import { buildProxyEvent } from '../../support/service/proxy-event.ts';
import { issueToken } from '../../support/service/tokens.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { proves } from '../../rules/proves.ts';

const portal = useWatchedPortal();
let client: ReturnType<typeof createTableClient>;
// The client of the service, whose calls end by the deadline. The portal has set its address in the environment.
beforeAll(() => void (client = createTableClient()));

const march = { startdate: '2026-03-01', enddate: '2026-03-31' };
const buildQuery = (changes: Partial<ListQuery> = {}): ListQuery => ({
  range: parseDateRange(march.startdate, march.enddate),
  ...{ state: null, search: '', changedSince: null, limit: 100, offset: 0 },
  ...changes,
});

/** Creates a supplier with these invoices, and a function that reads its lists. */
async function createSupplier(invoices: readonly Invoice[], readingClient = client) {
  const scope = { tenant: 'lists.example', supplierId: newId() };
  await seedInvoices(portal.engine, scope, invoices);
  const lists = createInvoiceLists(readingClient, portal.engine.tables.Invoices);
  async function list(changes: Partial<ListQuery> = {}) {
    const { rows, total } = await readInvoicePage(lists, scope, buildQuery(changes));
    return { ids: rows.map(({ invoiceId }) => invoiceId), total, rows };
  }
  return { scope, list, lists, invoices };
}

const countCalls = (operation: string) => portal.proxy.calls.filter((call) => call.operation === operation).length;

/** Runs `act` before the engine receives the call with this number (from 1) of the matching calls. */
function actBefore(
  callNumber: number,
  calls: Pick<Fault, 'operation' | 'mentioning'>,
  act: () => Promise<unknown>,
): void {
  let count = 0;
  portal.proxy.injectFault({
    ...calls,
    how: 'delay-request',
    table: 'Invoices',
    wait: async () => void (++count === callNumber && (await act())),
  });
}

const buildDay = (index: number) => `2026-03-${String(1 + (index % 28)).padStart(2, '0')}T10:00:00.000Z`;

const buildChangeTime = (ms: number) => `2026-05-01T12:00:00.00${ms}Z`;

describe('the lists of a supplier', () => {
  const invoices = Array.from({ length: 130 }, (_, index) =>
    buildInvoice({
      invoiceId: `${1000 + index}`,
      invoiceDate: `2026-0${2 + (index % 3)}-${String(1 + (index % 28)).padStart(2, '0')}T1${index % 2}:00:00.000Z`,
      accountName: index % 7 === 3 ? 'Señal' : 'Grúas',
      state: STATE_CODES[index % 3] ?? 'PEN',
      isWithdrawn: index % 11 === 5,
      changedAt: buildChangeTime(index % 9),
      ...(index % 5 === 1 && { declaration: buildDeclaration({ notes: 'Peaje' }) }),
      providerInvoice: { number: index % 4 === 2 ? `FE-${index}` : null, date: null },
    }),
  );
  let supplier: Awaited<ReturnType<typeof createSupplier>>;
  // Without the proxy, each read takes half the time.
  beforeAll(async () => void (supplier = await createSupplier(invoices, portal.engine.client)));

  it('a list returns the same rows and total as a filter and sort of all invoices that are not withdrawn', async () => {
    proves('list-invoices/rule-4', 'list-invoices/rule-5');
    const instant = fc.constantFrom(
      ...['2026-02-01T00:00Z', '2026-02-05T10:00Z', '2026-02-05T10:00:00.001Z', '2026-02-28T23:59:59.999Z'],
      ...['2026-03-05T11:00Z', '2026-03-05T11:00:00.001Z', '2026-04-01T00:00Z', '2026-04-20T00:00Z'],
    );
    const query = fc.record({
      range: fc.tuple(instant, instant).map((pair) => {
        const [start = '', end = ''] = pair.toSorted((a, b) => Date.parse(a) - Date.parse(b));
        return parseDateRange(start, end);
      }),
      state: fc.constantFrom(null, null, 'PEN', 'ENV', 'LIQ'),
      changedSince: fc.constantFrom(null, null, buildChangeTime(4), buildChangeTime(8), buildChangeTime(9)),
      search: fc.constantFrom('', '  ', 'senal', ' Señal ', 'GRÚAS', '101', 'fe-1', 'nothing'),
      limit: fc.integer({ min: 1, max: 100 }),
      offset: fc.oneof(fc.constant(0), fc.nat({ max: 130 })),
    });
    await fc.assert(
      fc.asyncProperty(query, async (filter) => {
        const { ids, total, rows } = await supplier.list(filter);
        expect({ ids, total }).toEqual(buildReferenceList(invoices, filter));
        for (const row of rows)
          expect(invoices.find(({ invoiceId }) => invoiceId === row.invoiceId)).toMatchObject(row);
      }),
      { numRuns: 200 },
    );
  });
});

/** Builds 75 invoices whose index entries have 1.5 MB. An entry contains the account name, in the searched text. */
const buildLargeEntries = () =>
  Array.from({ length: 75 }, (_, index) =>
    buildInvoice({
      invoiceId: `${100 + index}`,
      invoiceDate: buildDay(Math.floor(index / 3)),
      accountName: `${index === 0 ? 'oldest' : 'other'} ${'x'.repeat(20_000)}`,
    }),
  );

describe('a list with more index entries than a page of the engine (1 MB)', () => {
  it('a search reads both pages of an index of 1.5 MB, and finds a hit that only the last page contains', async () => {
    const { list } = await createSupplier(buildLargeEntries());
    expect(await list({ search: 'other', limit: 5 })).toMatchObject({ total: 74 });
    expect(await list({ limit: 5 })).toMatchObject({ total: 75 });
    portal.proxy.reset();
    expect(await list({ search: 'oldest' })).toMatchObject({ ids: ['100'], total: 1 });
    expect(countCalls('Query')).toBe(2);
  });

  it('an invoice whose date changes between two pages of the index is once in the list', async () => {
    const { scope, list, invoices } = await createSupplier(buildLargeEntries());
    const newest = invoices.at(-1)?.invoiceId ?? '';
    // The oldest invoices are on the second page.
    actBefore(2, { operation: 'Query' }, () => changeInvoice(portal.engine, scope, newest, { sortDate: buildDay(0) }));
    const { ids, total } = await list({ state: 'PEN' });
    expect(ids.filter((id) => id === newest)).toHaveLength(1);
    expect([ids.length, total]).toEqual([75, 75]);
  });
});

describe('a list whose invoices change while it is read', () => {
  const buildFew = () =>
    Array.from({ length: 6 }, (_, index) => buildInvoice({ invoiceId: `${index + 1}`, invoiceDate: buildDay(index) }));

  it.each<[string, Partial<Invoice>]>([
    ['state', { state: 'REC' }],
    ['date', { sortDate: '2026-04-01T00:00:00.000Z' }],
    ['date, which is now earlier,', { sortDate: '2026-02-28T00:00:00.000Z' }],
    ['text', { accountName: 'Otra' }],
    ['withdrawal', { isWithdrawn: true }],
  ])('a list is read again if the %s of an invoice changes after the read of the index', async (_, changes) => {
    proves('list-invoices/rule-4');
    const { scope, list } = await createSupplier(buildFew());
    actBefore(1, { operation: 'BatchGetItem' }, () => changeInvoice(portal.engine, scope, '5', changes));
    expect(await list({ search: 'cordoba', state: 'PEN', limit: 3 })).toMatchObject({ ids: ['6', '4', '3'], total: 5 });
    expect(countCalls('BatchGetItem')).toBe(2);
  });
});

describe('a list of large invoices', () => {
  const buildLarge = (count: number) => {
    const [concept] = buildInvoice().concepts;
    const concepts = [{ ...concept!, description: 'x'.repeat(300_000) }];
    return Array.from({ length: count }, (_, index) =>
      buildInvoice({ invoiceId: `${100 + index}`, invoiceDate: buildDay(Math.floor(index / 3)), concepts }),
    );
  };

  it('a first page of invoices with more than 1 MB is complete', async () => {
    const { list } = await createSupplier(buildLarge(10));
    const ids = Array.from({ length: 10 }, (_, index) => `${109 - index}`);
    expect(await list()).toMatchObject({ ids, total: 10 });
    expect(await list({ limit: 3, offset: 4 })).toMatchObject({ ids: ids.slice(4, 7), total: 10 });
  });

  it('an invoice whose date changes between two pages of large invoices is once in the first page', async () => {
    const { scope, list } = await createSupplier(buildLarge(10));
    const act = () => changeInvoice(portal.engine, scope, '109', { sortDate: buildDay(0) });
    actBefore(2, { operation: 'Query', mentioning: 'ALL_ATTRIBUTES' }, act);
    const { ids, total } = await list();
    expect(ids.toSorted()).toEqual(Array.from({ length: 10 }, (_, index) => `${100 + index}`));
    expect(total).toBe(10);
  });

  it('a page of a search whose invoices exceed the 16 MB of a batch is complete', async () => {
    const { list } = await createSupplier(buildLarge(60));
    const { ids, total, rows } = await list({ search: 'srv' });
    expect([ids.length, total, rows.length]).toEqual([60, 60, 60]);
  });
});

it('a list that cannot be read for another reason than the deadline fails with the error of the engine', async () => {
  const { list } = await createSupplier([]);
  portal.proxy.injectFault({ how: 'error', operation: 'Query' });
  await expect(list()).rejects.toMatchObject({ name: 'InternalServerError' });
});

it('a list that cannot be read within the deadline is INTERNAL_ERROR, and its log line contains the reason', async () => {
  const account = await seedAccount(portal.engine);
  await seedInvoices(portal.engine, account.scope, buildLargeEntries());
  const headers = buildHeaders(account, await issueToken(account.reference, portal.signingKey));
  const event = buildProxyEvent(listInvoicesContract, { headers, query: { ...march, search: 'nothing' } });
  vi.stubEnv('LOG_LEVEL', 'ERROR');
  vi.resetModules();
  const { handler } = await import('../../../functions/list-invoices.ts');
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  portal.proxy.injectFault({ how: 'delay-request', table: 'Invoices', wait: () => pause(1_200) });
  const endMs = performance.now() + 3_000;
  const context = { getRemainingTimeInMillis: () => endMs - performance.now() } as Context;

  const { statusCode, body } = await handler(event, context);

  const lines = stderr.mock.calls.map(([line]) => JSON.parse(String(line)) as { error: { message: string } });
  stderr.mockRestore();
  expect([statusCode, JSON.parse(body).error.code]).toEqual([500, 'INTERNAL_ERROR']);
  const message = expect.stringMatching(/^The deadline ended a list after \d\d index entries: too many invoices\.$/);
  expect(lines).toMatchObject([{ error: { message } }]);
});
