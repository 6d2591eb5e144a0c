import { expect, it } from 'vitest';
import { LIMITS } from '../../../lib/domain/limits.ts';
import { createScriptedPortal, type ScriptedResponse, buildSuccess } from '../../support/client/scripted-portal.ts';
import { useDate } from '../../support/setup/use-date.ts';

useDate(Date.parse('2026-11-28T12:00:00Z'));

/** Creates a client of a service that responds up to ten times with the requested page of the current list. */
function createListPortal(listIds: () => readonly string[]) {
  const servePage: ScriptedResponse = ({ url }) => {
    const { searchParams } = new URL(url);
    const [limit, offset] = ['limit', 'offset'].map((name) => Number(searchParams.get(name))) as [number, number];
    const ids = listIds();
    const data = { rows: ids.slice(offset, offset + limit).map((id) => ({ invoice_id: id })), tolerance: {} };
    return buildSuccess(data, { total: ids.length, limit, offset });
  };
  return createScriptedPortal({ calls: Array<ScriptedResponse>(10).fill(servePage) });
}

const range = { startdate: '2026-06-01', enddate: '2026-08-31' };
const PAGE = `${LIMITS.pageMax}`;
const createIds = (count: number) => Array.from({ length: count }, (_, index) => String(index));

async function collect(rows: AsyncIterable<{ invoice_id: string }>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { invoice_id: id } of rows) ids.push(id);
  return ids;
}

it.each([0, 10, 11, 20, 35])(
  'eachInvoice yields all %i rows of a list in pages of 10, each of which begins with the last row of the page before',
  async (count) => {
    const { client, requests } = createListPortal(() => createIds(count));
    expect(await collect(client.eachInvoice({ ...range, limit: 10 }))).toEqual(createIds(count));
    expect(requests).toHaveLength(1 + Math.max(1, Math.ceil((count - 1) / 9)));
  },
);

it('eachInvoice reads pages of the maximum size by default, with the same query for each page', async () => {
  const { client, requests } = createListPortal(() => createIds(101));
  await collect(client.eachInvoice({ ...range, status: 'PEN', search: 'córdoba & co' }));
  expect(requests.slice(1).map(({ url }) => Object.fromEntries(new URL(url).searchParams))).toEqual(
    ['0', '99'].map((offset) => ({ ...range, status: 'PEN', search: 'córdoba & co', limit: PAGE, offset })),
  );
});

it.each<[string, number, Record<string, (ids: readonly string[]) => readonly string[]>, readonly string[], number]>([
  [
    'yields each row once if rows are added before it during the listing',
    25,
    { 3: (ids) => ['new 3', ...ids], 12: (ids) => ['new 12', ...ids] },
    createIds(25),
    3,
  ],
  ['ends earlier if the list becomes shorter', 40, { 15: (ids) => ids.slice(0, 20) }, createIds(20), 3],
  // The second page, at offset 9, begins after the gap.
  ['yields the other rows if yielded rows leave the list', 20, { 9: (ids) => ids.slice(8) }, createIds(20), 4],
])('eachInvoice %s', async (_, count, changes, yielded, pages) => {
  let listedIds: readonly string[] = createIds(count);
  const { client, requests } = createListPortal(() => listedIds);
  const ids: string[] = [];
  for await (const { invoice_id: id } of client.eachInvoice({ ...range, limit: 10 })) {
    ids.push(id);
    listedIds = changes[id]?.(listedIds) ?? listedIds;
  }
  expect(ids).toEqual(yielded);
  expect(requests).toHaveLength(1 + pages);
});

it('eachInvoice yields all rows if the page size is 1', async () => {
  const { client } = createListPortal(() => createIds(3));
  expect(await collect(client.eachInvoice({ ...range, limit: 1 }))).toEqual(createIds(3));
});

it('eachInvoice ends after a page without rows, even if the total is larger', async () => {
  const empty = buildSuccess({ rows: [], tolerance: {} }, { total: 7, limit: 10, offset: 0 });
  expect(await collect(createScriptedPortal({ calls: [empty] }).client.eachInvoice(range))).toEqual([]);
});

it('eachInvoice throws the reason of an aborted signal, even within a page', async () => {
  const controller = new AbortController();
  const reason = new Error('enough');
  const { client, requests } = createListPortal(() => createIds(20));
  const rows = client.eachInvoice({ ...range, limit: 10 }, controller);
  await rows.next();
  controller.abort(reason);
  await expect(rows.next()).rejects.toBe(reason);
  // The next page is requested only when it is needed.
  expect(requests).toHaveLength(2);
});

it('changesSince lists the changes since one minute before the time, from tomorrow back to startdate, each day once', async () => {
  const { client, requests } = createListPortal(() => []);
  const startdate = '2026-05-25T00:00:00-03:00';
  await collect(client.changesSince('2026-11-28T09:00:00-03:00', { startdate }));
  const changes = { changed_since: '2026-11-28T11:59:00.000Z', limit: PAGE, offset: '0' };
  expect(requests.slice(1).map(({ url }) => Object.fromEntries(new URL(url).searchParams))).toEqual([
    { startdate: '2026-08-29', enddate: '2026-11-29', ...changes },
    { startdate: '2026-05-28', enddate: '2026-08-28', ...changes },
    { startdate: '2026-05-25', enddate: '2026-05-27', ...changes },
  ]);
});

it('changesSince lists the invoices of a year by default, and yields an invoice once although its date changes', async () => {
  const { client, requests } = createListPortal(() => ['9001']);
  expect(await collect(client.changesSince(new Date()))).toEqual(['9001']);
  const dates = requests.slice(1).map(({ url }) => new URL(url).searchParams.get('startdate'));
  expect(dates).toEqual(['2026-08-29', '2026-05-28', '2026-02-24', '2025-11-28']);
});

it('changesSince ends as soon as its signal is aborted, and rejects an invalid time or startdate', async () => {
  const { client, requests } = createListPortal(() => []);
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(collect(client.changesSince(new Date(), { signal }))).rejects.toThrow('enough');
  await expect(collect(client.changesSince('yesterday'))).rejects.toThrow(RangeError);
  await expect(collect(client.changesSince(new Date(), { startdate: '' }))).rejects.toThrow(RangeError);
  expect(requests).toEqual([]);
});
