import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../lib/domain/limits.ts';
import { createScriptedPortal, type ScriptedResponse, buildSuccess } from '../../support/client/scripted-portal.ts';

/** Returns the response of the service with a page of the current list. */
function listOf(ids: () => readonly string[]): ScriptedResponse {
  return ({ url }) => {
    const { searchParams } = new URL(url);
    const [limit, offset] = ['limit', 'offset'].map((name) => Number(searchParams.get(name))) as [number, number];
    const rows = ids().slice(offset, offset + limit);
    const data = { rows: rows.map((id) => ({ invoice_id: id })), tolerance: {} };
    return buildSuccess(data, { total: ids().length, limit, offset });
  };
}

const range = { startdate: '2026-06-01', enddate: '2026-08-31' };
const PAGE = `${LIMITS.pageMax}`;
const numbered = (count: number) => Array.from({ length: count }, (_, index) => String(index));

async function collect(rows: AsyncIterable<{ invoice_id: string }>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { invoice_id: id } of rows) ids.push(id);
  return ids;
}

describe('all invoices of a list', () => {
  it.each([0, 10, 11, 20, 35])('are read with limit 10: %i rows', async (count) => {
    const { client, requests } = createScriptedPortal({
      calls: Array<ScriptedResponse>(10).fill(listOf(() => numbered(count))),
    });
    expect(await collect(client.eachInvoice({ ...range, limit: 10 }))).toEqual(numbered(count));
    expect(requests).toHaveLength(1 + Math.max(1, Math.ceil(count / 10)));
  });

  it('are read in pages of the maximum size by default, with the same query for each page', async () => {
    const { client, requests } = createScriptedPortal({
      calls: Array<ScriptedResponse>(2).fill(listOf(() => numbered(101))),
    });
    await collect(client.eachInvoice({ ...range, status: 'PEN', search: 'córdoba & co' }));
    expect(requests.slice(1).map(({ url }) => Object.fromEntries(new URL(url).searchParams))).toEqual(
      ['0', PAGE].map((offset) => ({ ...range, status: 'PEN', search: 'córdoba & co', limit: PAGE, offset })),
    );
  });

  it.each([
    ['are yielded once each if rows are added before them meanwhile', 25, ['3', '12'], 25, 3],
    ['end earlier if the list becomes shorter meanwhile', 40, ['15'], 20, 3],
  ])('%s', async (_, count, places, given, pages) => {
    let all = numbered(count);
    const { client, requests } = createScriptedPortal({ calls: Array<ScriptedResponse>(10).fill(listOf(() => all)) });
    const ids: string[] = [];
    for await (const { invoice_id: id } of client.eachInvoice({ ...range, limit: 10 })) {
      ids.push(id);
      if (places.includes(id)) all = given < count ? all.slice(0, given) : [`new ${id}`, ...all];
    }
    expect(ids).toEqual(numbered(given));
    expect(requests).toHaveLength(1 + pages);
  });

  it('end with a page without rows, also if the total is larger', async () => {
    const empty = buildSuccess({ rows: [], tolerance: {} }, { total: 7, limit: 10, offset: 0 });
    expect(await collect(createScriptedPortal({ calls: [empty] }).client.eachInvoice(range))).toEqual([]);
  });

  it('end with the reason of an aborted signal, also within a page', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const { client, requests } = createScriptedPortal({ calls: [listOf(() => numbered(20))] });
    const rows = client.eachInvoice({ ...range, limit: 10 }, controller);
    await rows.next();
    controller.abort(reason);
    await expect(rows.next()).rejects.toBe(reason);
    // The next page is requested only when it is needed.
    expect(requests).toHaveLength(2);
  });
});
