import { describe, expect, it } from 'vitest';
import { intoTransactions } from '../../infra/ops/import/into-transactions.ts';
import type { DeclarationRevision } from '../../lib/domain/declaration.ts';
import { stateChangeOf } from '../../lib/domain/invoice-state-change.ts';
import { anInvoice } from '../support/seed-invoices.ts';

const inMonth = (month: number) =>
  anInvoice({
    sortDate: `${2020 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01T00:00:00.000Z`,
  });

const added = (count: number, revisions: readonly DeclarationRevision[] = []) =>
  Array.from({ length: count }, () => ({ change: { before: null, after: inMonth(0), revisions } }));

const sizes = (planned: Parameters<typeof intoTransactions>[0]) =>
  intoTransactions(planned).map(({ length }) => length);

describe('changes of invoices', () => {
  it('are grouped with the one counter of their month into 100 writes', () => {
    expect(sizes(added(199))).toEqual([99, 99, 1]);
  });

  it('stay within the bytes of a transaction', () => {
    const concept = { conceptId: '1', description: 'x'.repeat(1000) };
    const large = added(10).map(({ change }) => {
      const concepts = Array.from({ length: 300 }, () => ({ ...change.after.concepts[0]!, ...concept }));
      return { change: { ...change, after: { ...change.after, concepts } } };
    });
    expect(sizes(large)).toEqual([3, 3, 3, 1]);
  });

  it('count their declarations as well', () => {
    expect(sizes(added(100, [{} as DeclarationRevision]))).toEqual([49, 49, 2]);
  });

  it('count their changes of state as well', () => {
    const moved = Array.from({ length: 100 }, () => {
      const [before, after] = [inMonth(0), { ...inMonth(0), state: 'LIQ' as const }];
      const stateChange = stateChangeOf(before, after, { changedBy: 'import', reason: null, now: new Date(0) });
      return { change: { before, after, revisions: [], stateChange } };
    });
    expect(sizes(moved)).toEqual([49, 49, 2]);
  });

  it('count every month that they leave or enter', () => {
    const moved = Array.from({ length: 100 }, (_, index) => ({
      change: { before: inMonth(2 * index), after: inMonth(2 * index + 1), revisions: [] },
    }));
    expect(sizes(moved)).toEqual([33, 33, 33, 1]);
  });

  it('are none when there are none', () => {
    expect(sizes([])).toEqual([]);
  });
});
