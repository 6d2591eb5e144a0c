import { describe, expect, it } from 'vitest';
import { packTransactions, type TransactionCost } from '../../../lib/invoices/transactions.ts';

const limits = { writes: 100, bytes: 1000 };

const buildCosts = (count: number, cost: Partial<TransactionCost> = {}) =>
  Array.from({ length: count }, (): TransactionCost => ({ writes: 1, bytes: 1, ...cost }));

const pack = (costs: readonly TransactionCost[]) => packTransactions(costs, (cost) => cost, limits);
const findSizes = (costs: readonly TransactionCost[]) => pack(costs).map(({ length }) => length);

describe('packTransactions', () => {
  it('packTransactions fills transactions of 100 writes with the items in their order', () => {
    const costs = buildCosts(201);
    expect(findSizes(costs)).toEqual([100, 100, 1]);
    expect(pack(costs).flat()).toEqual(costs);
    expect(findSizes(buildCosts(101, { writes: 2 }))).toEqual([50, 50, 1]);
  });

  it('packTransactions fills a transaction up to its limit of bytes', () => {
    expect(findSizes(buildCosts(6, { bytes: 250 }))).toEqual([4, 2]);
    expect(findSizes(buildCosts(6, { bytes: 251 }))).toEqual([3, 3]);
  });

  it('packTransactions puts an item that is too large for any transaction into a transaction of its own', () => {
    const tooLarge = [...buildCosts(1, { bytes: 1001 }), ...buildCosts(1, { writes: 101 })];
    expect(findSizes([...buildCosts(2), ...tooLarge, ...buildCosts(2)])).toEqual([2, 1, 1, 2]);
    expect(findSizes([])).toEqual([]);
  });
});
