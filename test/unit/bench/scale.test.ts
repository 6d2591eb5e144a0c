import { describe, expect, it } from 'vitest';
import { keysIn, kindOfKey } from '../../bench/scale/keys.ts';
import { loadsOf, type Measured, requestsPerSecond } from '../../bench/scale/model.ts';

const taken = { detail: { read: 2, write: 0 } };
const measured: Measured = {
  keys: [
    { name: 'of all', sharing: 'all', taken },
    { name: 'of a tenant', sharing: 'tenant', taken },
    { name: 'of a shard', sharing: 'log shard', taken },
    { name: 'of a supplier', sharing: 'supplier', taken: { batch: { read: 0, write: 30 } } },
  ],
  tables: [{ name: 'table', sharing: 'all', taken }],
  publicKeys: 1,
  logShards: 4,
  transactions: { declare: 1, batch: 3 },
  stage: { all: 500, login: 50 },
};

describe("the simulation of a month's end", () => {
  it('divides what a key gets by those who share it, and lets one supplier use its limits up', () => {
    const load = (name: string) => loadsOf(measured, 21_600, 50).find((one) => one.name === name)?.load ?? Number.NaN;
    const { detail } = requestsPerSecond(21_600);
    expect(load('of all, read')).toBeCloseTo(2 * detail);
    expect(load('of a tenant, read')).toBeCloseTo((2 * detail) / 50);
    expect(load('of a shard, read')).toBeCloseTo((2 * detail) / 200);
    expect(load('of a supplier, write')).toBeCloseTo((30 * 10) / 60);
  });

  it('finds the keys of a call, and refuses one of which it does not know who shares it', () => {
    const key = { pk: { S: 'TENANT#a#TENANT' }, sk: { S: 'TENANT' } };
    expect(keysIn({ RequestItems: { Directory: { Keys: [key] } } })).toEqual([
      { table: 'Directory', pk: 'TENANT#a#TENANT', sk: 'TENANT' },
    ]);
    expect(
      keysIn({ TransactItems: [{ Put: { TableName: 'Declarations', Item: { pk: { S: 'x' }, sk: { N: '1' } } } }] }),
    ).toEqual([{ table: 'Declarations', pk: 'x', sk: '1' }]);
    expect(kindOfKey('Directory', 'TENANT#a#TENANT', 'TENANT')).toEqual({ name: 'tenant', sharing: 'tenant' });
    expect(() => kindOfKey('Directory', 'NEW#a', '')).toThrow('No kind of key of Directory is like NEW#a.');
  });
});
