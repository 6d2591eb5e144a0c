import { describe, expect, it } from 'vitest';
import { packTransactions, type TransactionCost } from '../../../lib/invoices/transactions.ts';

const limits = { writes: 100, bytes: 1000, sharedBytes: 10 };

const buildCosts = (count: number, cost: Partial<TransactionCost> = {}) =>
  Array.from({ length: count }, (): TransactionCost => ({ writes: 1, bytes: 1, sharedWrites: ['2026-01'], ...cost }));

const pack = (costs: readonly TransactionCost[]) => packTransactions(costs, (cost) => cost, limits);
const findSizes = (costs: readonly TransactionCost[]) => pack(costs).map(({ length }) => length);

describe('packTransactions', () => {
  it('packs items in their order into transactions of 100 writes, with the shared counter', () => {
    const costs = buildCosts(199);
    expect(findSizes(costs)).toEqual([99, 99, 1]);
    expect(pack(costs).flat()).toEqual(costs);
  });

  it('packTransactions counts every write of an item', () => {
    expect(findSizes(buildCosts(100, { writes: 2 }))).toEqual([49, 49, 2]);
  });

  it('packTransactions counts a shared item once in a transaction', () => {
    const costs = Array.from({ length: 100 }, (_, index) =>
      buildCosts(1, { sharedWrites: [`${2 * index}`, `${2 * index + 1}`] }),
    );
    expect(findSizes(costs.flat())).toEqual([33, 33, 33, 1]);
    expect(findSizes(buildCosts(200, { sharedWrites: [] }))).toEqual([100, 100]);
  });

  it('fills a transaction up to its limit of bytes, shared items included', () => {
    expect(findSizes(buildCosts(4, { bytes: 330 }))).toEqual([3, 1]);
    expect(findSizes(buildCosts(4, { bytes: 331 }))).toEqual([2, 2]);
    expect(findSizes(buildCosts(4, { bytes: 331, sharedWrites: [] }))).toEqual([3, 1]);
  });

  it('packs an item that is too large for any transaction alone', () => {
    const tooLarge = [...buildCosts(1, { bytes: 1001 }), ...buildCosts(1, { writes: 101 })];
    expect(findSizes([...buildCosts(2), ...tooLarge, ...buildCosts(2)])).toEqual([2, 1, 1, 2]);
    expect(findSizes([])).toEqual([]);
  });
});
