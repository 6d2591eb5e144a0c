import { describe, expect, it } from 'vitest';
import { packTransactions, type TransactionCost } from '../../../lib/invoices/transactions.ts';

const limits = { writes: 100, bytes: 1000, sharedBytes: 10 };

const many = (count: number, cost: Partial<TransactionCost> = {}) =>
  Array.from({ length: count }, (): TransactionCost => ({ writes: 1, bytes: 1, shared: ['2026-01'], ...cost }));

const groupsOf = (costs: readonly TransactionCost[]) => packTransactions(costs, (cost) => cost, limits);
const sizes = (costs: readonly TransactionCost[]) => groupsOf(costs).map(({ length }) => length);

describe('what is written', () => {
  it('is grouped in its order, with the one counter that it shares, into 100 writes', () => {
    const costs = many(199);
    expect(sizes(costs)).toEqual([99, 99, 1]);
    expect(groupsOf(costs).flat()).toEqual(costs);
  });

  it('counts every write of an item', () => {
    expect(sizes(many(100, { writes: 2 }))).toEqual([49, 49, 2]);
  });

  it('counts what is shared once', () => {
    const moved = Array.from({ length: 100 }, (_, index) => many(1, { shared: [`${2 * index}`, `${2 * index + 1}`] }));
    expect(sizes(moved.flat())).toEqual([33, 33, 33, 1]);
    expect(sizes(many(200, { shared: [] }))).toEqual([100, 100]);
  });

  it('stays within the bytes of a transaction, to the last one, what is shared included', () => {
    expect(sizes(many(4, { bytes: 330 }))).toEqual([3, 1]);
    expect(sizes(many(4, { bytes: 331 }))).toEqual([2, 2]);
    expect(sizes(many(4, { bytes: 331, shared: [] }))).toEqual([3, 1]);
  });

  it('stands alone when it is too large for any transaction', () => {
    const tooLarge = [...many(1, { bytes: 1001 }), ...many(1, { writes: 101 })];
    expect(sizes([...many(2), ...tooLarge, ...many(2)])).toEqual([2, 1, 1, 2]);
    expect(sizes([])).toEqual([]);
  });
});
