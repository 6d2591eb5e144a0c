import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { batchRecords } from '../../../infra/ops/import/import-invoices.ts';
import { changeInvoices } from '../../../infra/ops/tables/change-invoices.ts';
import { buildNextVersion } from '../../../lib/domain/next-version.ts';
import { buildInvoice } from '../../support/data/seed-invoices.ts';
import { createMemoryStore, type SendHook } from '../../support/fakes/memory-store.ts';

interface Row {
  readonly invoiceId: string;
  readonly city: string;
}

const buildRows = (count: number, city = 'Salta'): Row[] =>
  Array.from({ length: count }, (_, index) => ({ invoiceId: `${index + 1}`, city }));

/**
 * Sets the cities of invoices of one supplier in a store in memory. Returns the outcome of each row, and the ids and
 * cities of each transaction.
 */
async function changeCities(rows: readonly Row[], { beforeSend, stop }: { beforeSend?: SendHook; stop?: AbortSignal }) {
  const ids = new Set(rows.map(({ invoiceId }) => invoiceId));
  const invoices = Array.from(ids, (invoiceId) => buildInvoice({ invoiceId }));
  const sent: string[][] = [];
  const { commit, stored } = createMemoryStore(invoices, (changes) => {
    sent.push(changes.map(({ after }) => `${after.invoiceId} ${after.city}`));
    return beforeSend?.(changes);
  });
  const reads = { getMany: async () => stored, findZeroVariants: async () => new Map() };
  const outcomes = new Map<Row, string>();
  await changeInvoices<Row, string>({ commit, invoices: reads }, rows, {
    tenant: 't.example',
    getKey: ({ invoiceId }) => ({ supplierId: '10', invoiceId }),
    plan({ city }, { invoice: before }) {
      if (!before || before.city === city) return { change: null, outcome: 'unchanged' };
      return { change: { before, after: buildNextVersion(before, { city }, new Date()) }, outcome: 'changed' };
    },
    report: (row, outcome) => outcomes.set(row, typeof outcome === 'string' ? outcome : outcome.error),
    ...(stop && { stop }),
  });
  return { outcomes: rows.map((row) => outcomes.get(row)), sent };
}

const repeatChanged = (count: number) => Array<string>(count).fill('changed');

// The back-off between attempts is random and can be 0.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => void vi.restoreAllMocks());

it('changeInvoices writes rows in one transaction, but those of one invoice one after the other', async () => {
  const rows = [...buildRows(2, 'first'), ...buildRows(1, 'second'), ...buildRows(1, 'second')];
  const { outcomes, sent } = await changeCities(rows, {});
  expect(outcomes).toEqual(['changed', 'changed', 'changed', 'unchanged']);
  expect(sent).toEqual([['1 first', '2 first'], ['1 second']]);
});

it('changeInvoices rejects rows that conflict in ten attempts of their own, and writes all others', async () => {
  const contended = ['1', '50', '99', '100', '377'];
  const { outcomes, sent } = await changeCities(buildRows(500), {
    beforeSend: (changes) =>
      changes.some(({ after }) => contended.includes(after.invoiceId)) ? 'conflict' : undefined,
  });
  const error =
    'record: not written, because others kept changing the invoice or the table was overloaded; run the command again';
  expect(outcomes).toEqual(
    repeatChanged(500).map((outcome, index) => (contended.includes(`${index + 1}`) ? error : outcome)),
  );
  // Transactions with fewer and fewer rows, and then ten attempts with this row alone.
  const attempts = sent.filter((rows) => rows.includes('377 Salta'));
  expect(attempts.map(({ length }) => length)).toEqual([50, 25, 12, 6, 3, 1, ...Array<number>(10).fill(1)]);
});

it('changeInvoices plans a row again with a later time after a conflict', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-08-01') });
  const times: string[] = [];
  await changeCities(buildRows(1), {
    beforeSend: ([change]) => {
      times.push(change!.after.changedAt);
      vi.setSystemTime(Date.parse('2026-08-02'));
      return times.length === 1 ? 'conflict' : undefined;
    },
  });
  vi.useRealTimers();
  expect(times).toEqual(['2026-08-01T00:00:00.000Z', '2026-08-02T00:00:00.000Z']);
});

it('changeInvoices rejects a row that the store rejects, and writes all others of its transaction', async () => {
  const { outcomes } = await changeCities(buildRows(99), {
    beforeSend: (changes) => (changes.some(({ after }) => after.invoiceId === '17') ? 'reject' : undefined),
  });
  expect(outcomes).toEqual(repeatChanged(99).with(16, 'record: was rejected (rejected)'));
});

it('changeInvoices writes rows in one transaction again after the conflicts end', async () => {
  let conflicts = 2;
  const { outcomes, sent } = await changeCities([...buildRows(12), ...buildRows(12, 'Jujuy')], {
    beforeSend: () => (conflicts-- > 0 ? 'conflict' : undefined),
  });
  expect(outcomes).toEqual(repeatChanged(24));
  expect(sent.at(-1)).toHaveLength(12);
});

it('changeInvoices stops after 500 rows of a supplier, and reports no later row', async () => {
  const stop = new AbortController();
  const { outcomes } = await changeCities(buildRows(501), {
    beforeSend: () => (stop.abort(), undefined),
    stop: stop.signal,
  });
  expect(outcomes).toEqual([...repeatChanged(500), undefined]);
});

it('batchRecords reads at most one batch ahead of an endless stream', async () => {
  let read = 0;
  async function* generateRecords() {
    for (;;) yield { line: ++read, source: '{}', value: {} };
  }
  const recordsInMemory: number[] = [];
  for await (const batch of batchRecords(generateRecords())) {
    recordsInMemory.push(read - batch[0]!.line + 1);
    if (recordsInMemory.length === 2) break;
  }
  expect(recordsInMemory).toEqual([1000, 1000]);
});
