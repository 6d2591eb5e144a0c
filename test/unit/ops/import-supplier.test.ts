import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { batchRecords, type ImportPorts, importSupplier } from '../../../infra/ops/import/import-invoices.ts';
import type { InvoiceRecord } from '../../../infra/ops/import/record-schema.ts';
import { WriteRejectedError } from '../../../lib/domain/errors.ts';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import type { CommitOutcome } from '../../../lib/invoices/transactions.ts';

const scope = { tenant: 't.example', supplierId: '10' };
const tolerance = { mode: null, pct: null, abs: null, autoApprove: false, source: 'ninguna' } as const;
const context = { tolerance, now: new Date(0), requestId: 'run-1', newDeclarationId: () => '1' };

const aRecord = (invoiceId: string, city: string): { value: InvoiceRecord } => ({
  value: { invoice_id: invoiceId, supplier_id: '10', service_id: '5', system_amount: '1', city },
});
const someRecords = (count: number) => Array.from({ length: count }, (_, index) => aRecord(`${index + 1}`, 'only'));

/**
 * Imports records into a store in memory, and returns the outcome of each and the transactions. `intercept` can return
 * another outcome for a transaction with these invoice ids, or throw.
 */
async function importAll(
  records: readonly { value: InvoiceRecord }[],
  intercept: (ids: readonly string[]) => CommitOutcome | undefined = () => undefined,
) {
  const invoices = new Map<string, Invoice>();
  const commits: string[][] = [];
  const ports: ImportPorts = {
    invoices: { getMany: async () => invoices },
    declarations: { readRevisions: async () => [] },
    findZeroVariants: async () => new Map(),
    async commit(_, changes) {
      commits.push(changes.map(({ after }) => `${after.invoiceId} ${after.city}`));
      const intercepted = intercept(changes.map(({ after }) => after.invoiceId));
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

const conflict: CommitOutcome = { kind: 'conflict', current: [] };
const created = (count: number) => Array<string>(count).fill('created');

// The pauses between attempts are random, from nothing on.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => void vi.restoreAllMocks());

it('records are written together, but a record of an invoice only after the one before it', async () => {
  const records = [aRecord('1', 'first'), aRecord('2', 'only'), aRecord('1', 'second'), aRecord('1', 'second')];
  const { outcomes, commits } = await importAll(records);
  expect(outcomes).toEqual(['created', 'created', 'changed', 'unchanged']);
  expect(commits).toEqual([['1 first', '2 only'], ['1 second']]);
});

it('records that always conflict are rejected after ten attempts of their own, and all others are written', async () => {
  const contended = ['1', '50', '99', '100', '777'];
  const { outcomes, commits } = await importAll(someRecords(1000), (ids) =>
    ids.some((id) => contended.includes(id)) ? conflict : undefined,
  );
  const error =
    'record: not written, because others kept changing the invoice or the table was overloaded; import it again';
  expect(outcomes).toEqual(
    created(1000).map((outcome, index) => (contended.includes(`${index + 1}`) ? error : outcome)),
  );
  // Five transactions of half the size until the record is alone, and then ten attempts.
  expect(commits.filter((ids) => ids.includes('777 only'))).toHaveLength(5 + 10);
});

it('a record that the store rejects is rejected with the reason, and all others of its transaction are written', async () => {
  const { outcomes } = await importAll(someRecords(99), (ids) => {
    if (ids.includes('17')) throw new WriteRejectedError(new Error('it is too odd'));
    return undefined;
  });
  expect(outcomes).toEqual(created(99).with(16, 'record: was rejected (it is too odd)'));
});

it('records are written together again after the conflicts end', async () => {
  let conflicts = 2;
  const records = [...someRecords(16), ...someRecords(16).map(({ value }) => aRecord(value.invoice_id, 'later'))];
  const { outcomes, commits } = await importAll(records, () => (conflicts-- > 0 ? conflict : undefined));
  expect(new Set(outcomes)).toEqual(new Set(['created', 'changed']));
  expect(commits.at(-1)).toHaveLength(16);
});

it('an import of an endless stream has at most one batch of records in memory', async () => {
  let read = 0;
  async function* endless() {
    for (;;) yield { line: ++read, source: '{}', value: {} };
  }
  const ahead: number[] = [];
  for await (const batch of batchRecords(endless(), 500)) {
    ahead.push(read - batch[0]!.line + 1);
    if (ahead.length === 2) break;
  }
  expect(ahead).toEqual([1000, 1000]);
});
