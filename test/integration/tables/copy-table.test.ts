import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { compareTables, type CopyOptions, copyTable } from '../../../lib/admin/tables/copy-table.ts';
import { canonical } from '../../../lib/admin/tables/table-sum.ts';
import { createRawTable, type RawItem, type RawTable } from '../../../lib/storage/tables/raw-table.ts';
import { itemsOf, itemWithEverything, newTable } from '../../support/data/raw-tables.ts';
import { type EngineProxy, startEngineProxy } from '../../support/engine/engine-proxy.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const engine = useEngine();
const keys = { pk: 'S', sk: 'S' } as const;
const options: CopyOptions = {
  transform: (item) => item,
  segments: 3,
  nowSeconds: 2_000_000_000,
  signal: new AbortController().signal,
  onProgress: () => undefined,
};

let from: RawTable;
let to: RawTable;
const items = Array.from({ length: 60 }, (_, index) => itemWithEverything(`p${index % 7}`, String(index)));
const sorted = (list: readonly RawItem[]) => list.map(canonical).toSorted();

beforeAll(async () => {
  from = await newTable(engine, keys);
  for (const item of items) await from.putNew(item);
});
beforeEach(async () => {
  to = await newTable(engine, keys);
});

describe('copying a table', () => {
  it('brings every item as it is: texts, numbers of any length, bytes, sets', async () => {
    expect(await copyTable(from, to, options)).toEqual({ copied: 60, same: 0, different: [] });
    expect(sorted(await itemsOf(to))).toEqual(sorted(items));
    expect(await compareTables(from, to, options)).toMatchObject({ equal: true, found: { items: 60 } });
  });

  it('tells how far it is every few items, also within a page', async () => {
    const told: number[] = [];
    await copyTable(from, to, { ...options, segments: 1, onProgress: ({ copied }) => told.push(copied) });
    expect(told).toEqual([16, 32, 48, 60]);
  });

  it('copies nothing twice when it is run again', async () => {
    await copyTable(from, to, options);
    expect(await copyTable(from, to, options)).toEqual({ copied: 0, same: 60, different: [] });
    expect(await itemsOf(to)).toHaveLength(60);
  });

  it('makes items of other keys, several of one, and none of those that are left out', async () => {
    const target = await newTable(engine, { owner: 'S', number: 'N' });
    const transform = ({ pk, sk, ...item }: RawItem) => {
      if (sk?.S === '0') return undefined;
      const moved = { ...item, owner: pk!, number: { N: sk!.S! } };
      return sk?.S === '1' ? [moved, { ...moved, number: { N: '-1' } }] : moved;
    };
    expect(await copyTable(from, target, { ...options, transform })).toMatchObject({ copied: 60, different: [] });
    expect(await compareTables(from, target, { ...options, transform })).toMatchObject({ equal: true });
    expect(await compareTables(from, target, options)).toMatchObject({ equal: false });
  });

  it('says which item is there already and differs, and leaves it as it is', async () => {
    const other = { ...items[5]!, text: { S: 'newer' } };
    await to.putNew(other);
    expect(await copyTable(from, to, options)).toMatchObject({ copied: 59, different: ['p5 5'] });
    expect(await compareTables(from, to, options)).toMatchObject({ equal: false });
    expect((await itemsOf(to)).find(({ sk }) => sk?.S === '5')).toMatchObject({ text: { S: 'newer' } });
  });

  it('finds an item too many, and one that a transformation lost', async () => {
    await copyTable(from, to, options);
    await to.putNew({ pk: { S: 'x' }, sk: { S: 'x' } });
    expect(await compareTables(from, to, options)).toMatchObject({ equal: false, found: { items: 61 } });
    const transform = (item: RawItem) => ({ ...item, sk: { S: 'same' }, was: item['sk']! });
    const target = await newTable(engine, keys);
    expect((await copyTable(from, target, { ...options, transform })).different).not.toEqual([]);
    expect(await compareTables(from, target, { ...options, transform })).toMatchObject({ equal: false });
  });

  it('does not wait for items that have expired: the table may delete them at any moment', async () => {
    const source = await newTable(engine, keys);
    const expiring = (sk: string, ttl: number) => ({ pk: { S: 'p' }, sk: { S: sk }, ttl: { N: String(ttl) } });
    await source.putNew(expiring('gone', 1_999_999_999));
    await source.putNew(expiring('there', 2_000_000_001));
    expect(await copyTable(source, to, options)).toMatchObject({ copied: 1 });
    await to.putNew(expiring('gone, too', 1_999_999_999));
    expect(await compareTables(source, to, options)).toMatchObject({ equal: true, wanted: { items: 1 } });
  });

  it('ends soon after it is interrupted, and can be run again', async () => {
    const stop = new AbortController();
    const stopping = { ...to, putNew: (item: RawItem) => (stop.abort(), to.putNew(item)) };
    const { copied } = await copyTable(from, stopping, { ...options, segments: 1, signal: stop.signal });
    expect(copied).toBe(16);
    await copyTable(from, to, options);
    expect(await compareTables(from, to, options)).toMatchObject({ equal: true });
  });
});

describe('copying a table while calls fail', () => {
  let proxy: EngineProxy;
  let few: RawTable;
  beforeAll(async () => {
    few = await newTable(engine, keys);
    for (const item of items.slice(0, 24)) await few.putNew(item);
  });
  const through = ({ name }: RawTable) => createRawTable(proxy.engine.client, name);

  beforeEach(async () => {
    proxy = await startEngineProxy({ ...engine, tables: { [few.name]: few.name, [to.name]: to.name } as never });
    return () => proxy.close();
  });

  it('goes on after the table has refused calls for its load', async () => {
    proxy.fail({ how: 'throttle', share: 0.3 });
    expect(await copyTable(through(few), through(to), options)).toMatchObject({ copied: 24 });
    expect(proxy.hits.get('throttle')).toBeGreaterThan(3);
    expect(await compareTables(few, to, options)).toMatchObject({ equal: true });
  });

  it('loses and doubles nothing, however often it fails on the way and is run again', async () => {
    proxy.fail({ how: 'lose-answer', operation: 'PutItem', share: 0.15 });
    proxy.fail({ how: 'error', share: 0.05 });
    let failures = 0;
    for (;;) {
      const done = await copyTable(through(few), through(to), options).catch(() => undefined);
      if (done) break;
      failures++;
      if (failures === 20) proxy.reset();
    }
    expect(await compareTables(few, to, options)).toMatchObject({ equal: true, found: { items: 24 } });
  });
});
