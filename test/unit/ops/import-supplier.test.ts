import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { batchRecords, type ImportPorts, importSupplier } from '../../../infra/ops/import/import-invoices.ts';
import type { InvoiceRecord } from '../../../infra/ops/import/record-schema.ts';
import type { InvoiceChange } from '../../../lib/domain/invoice-change.ts';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import type { CommitOutcome } from '../../../lib/invoices/transactions.ts';

const scope = { tenant: 't.example', supplierId: '10' };
const tolerance = { mode: null, pct: null, abs: null, autoApprove: false, source: 'ninguna' } as const;
const context = { tolerance, requestId: 'run-1', newDeclarationId: () => '1' };

const toRecord = (invoiceId: string, city: string): { value: InvoiceRecord } => ({
  value: { invoice_id: invoiceId, supplier_id: '10', service_id: '5', system_amount: '1', city },
});
const buildRecords = (count: number) => Array.from({ length: count }, (_, index) => toRecord(`${index + 1}`, 'only'));

/**
 * Imports records into a store in memory. Returns the outcome of each record, and the transactions. `intercept` can
 * return another outcome for a transaction with these invoice ids.
 */
async function importAll(
  records: readonly { value: InvoiceRecord }[],
  intercept: (ids: readonly string[], changes: readonly InvoiceChange[]) => CommitOutcome | undefined = () => undefined,
) {
  const invoices = new Map<string, Invoice>();
  const commits: string[][] = [];
  const ports: ImportPorts = {
    invoices: { getMany: async () => invoices },
    findZeroVariants: async () => new Map(),
    async commit(_, changes) {
      commits.push(changes.map(({ after }) => `${after.invoiceId} ${after.city}`));
      const intercepted = intercept(
        changes.map(({ after }) => after.invoiceId),
        changes,
      );
      if (intercepted) return intercepted;
      for (const { after } of changes) invoices.set(after.invoiceId, after);
      return { kind: 'committed' };
    },
  };
  const outcomes = new Map<object, string>();
  await importSupplier(ports, scope, records, context, (record, result) =>
    outcomes.set(record, 'error' in result ? result.error : result.outcome),
  );
  return { outcomes: records.map((record) => outcomes.get(record)), commits };
}

const conflict: CommitOutcome = { kind: 'replan', current: new Map() };
const repeatCreated = (count: number) => Array<string>(count).fill('created');

// The back-off between attempts is random and can be 0.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => void vi.restoreAllMocks());

it('importSupplier writes records in one transaction, but those of one invoice one after the other', async () => {
  const records = [toRecord('1', 'first'), toRecord('2', 'only'), toRecord('1', 'second'), toRecord('1', 'second')];
  const { outcomes, commits } = await importAll(records);
  expect(outcomes).toEqual(['created', 'created', 'changed', 'unchanged']);
  expect(commits).toEqual([['1 first', '2 only'], ['1 second']]);
});

it('importSupplier rejects records that conflict in ten attempts of their own, and writes all others', async () => {
  const contended = ['1', '50', '99', '100', '777'];
  const { outcomes, commits } = await importAll(buildRecords(1000), (ids) =>
    ids.some((id) => contended.includes(id)) ? conflict : undefined,
  );
  const error =
    'record: not written, because others kept changing the invoice or the table was overloaded; run the command again';
  expect(outcomes).toEqual(
    repeatCreated(1000).map((outcome, index) => (contended.includes(`${index + 1}`) ? error : outcome)),
  );
  // Seven transactions, each with fewer records than the one before, and then ten attempts with this record alone.
  expect(commits.filter((ids) => ids.includes('777 only'))).toHaveLength(7 + 10);
});

it('importSupplier plans a record again with a later time after a conflict', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1000 });
  const times: string[] = [];
  await importAll(buildRecords(1), (_, changes) => {
    times.push(...changes.map(({ after }) => after.changedAt));
    vi.setSystemTime(60_000);
    return times.length === 1 ? conflict : undefined;
  });
  vi.useRealTimers();
  expect(times).toEqual(['1970-01-01T00:00:01.000Z', '1970-01-01T00:01:00.000Z']);
});

it('importSupplier rejects a record that the store rejects, and writes all others of its transaction', async () => {
  const { outcomes } = await importAll(buildRecords(99), (ids) => {
    return ids.includes('17') ? { kind: 'reject', cause: new Error('it is too odd') } : undefined;
  });
  expect(outcomes).toEqual(repeatCreated(99).with(16, 'record: was rejected (it is too odd)'));
});

it('importSupplier writes records in one transaction again after the conflicts end', async () => {
  let conflicts = 2;
  const records = [...buildRecords(12), ...buildRecords(12).map(({ value }) => toRecord(value.invoice_id, 'later'))];
  const { outcomes, commits } = await importAll(records, () => (conflicts-- > 0 ? conflict : undefined));
  expect(new Set(outcomes)).toEqual(new Set(['created', 'changed']));
  expect(commits.at(-1)).toHaveLength(12);
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
