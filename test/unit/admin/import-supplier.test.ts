import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  batchRecords,
  type ImportPorts,
  type ImportResult,
  importSupplier,
} from '../../../lib/admin/import/import-invoices.ts';
import type { InvoiceRecord } from '../../../lib/admin/import/record-schema.ts';
import { WriteRejectedError } from '../../../lib/domain/errors.ts';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import { declarableBytes } from '../../../lib/storage/items/invoice-items.ts';
import { MAX_ITEM_BYTES } from '../../../lib/storage/dynamodb/item-size.ts';

import * as transactions from '../../../lib/storage/invoices/invoice-transaction.ts';

type ImportOutcome = ImportResult['outcome'] | { readonly error: string };

const scope = { tenant: 't.example', supplierId: '10' };
const tolerance = { mode: null, pct: null, abs: null, autoApprove: false, source: 'ninguna' } as const;
const context = { tolerance, now: new Date(0), requestId: 'run-1', newDeclarationId: () => '1' };

const aRow = (invoiceId: string, city: string): { value: InvoiceRecord } => ({
  value: { invoice_id: invoiceId, supplier_id: '10', service_id: '5', system_amount: '1', city },
});

/**
 * A store in memory that keeps what was committed, and notes what was tried. A commit that holds a contended invoice
 * loses its race; one that holds a refused invoice fails.
 */
function aStore({ contended = [], refused = [] }: { contended?: readonly string[]; refused?: readonly string[] } = {}) {
  const invoices = new Map<string, Invoice>();
  const commits: string[][] = [];
  const { TRANSACTION_LIMITS: limits, PARALLEL_TRANSACTIONS: parallelTransactions } = transactions;
  const invoiceWriter: ImportPorts['invoiceWriter'] = {
    ...{ limits, parallelTransactions, maxBytes: MAX_ITEM_BYTES, costOf: transactions.costOfChange, declarableBytes },
    async commit(_, changes) {
      commits.push(changes.map(({ after }) => `${after.invoiceId} ${after.city}`));
      const holdsOneOf = (ids: readonly string[]) => changes.some(({ after }) => ids.includes(after.invoiceId));
      if (holdsOneOf(refused)) throw new WriteRejectedError(new Error('it is too odd'));
      if (holdsOneOf(contended)) return { kind: 'conflict', current: [] };
      for (const { after } of changes) invoices.set(after.invoiceId, after);
      return { kind: 'committed' };
    },
  };
  const ports: ImportPorts = {
    invoices: { getMany: async () => invoices },
    declarations: { revisions: async () => [] },
    findZeroVariants: async () => new Map(),
    invoiceWriter,
  };
  return { ports, commits };
}

async function importRows(ports: ImportPorts, rows: readonly { value: InvoiceRecord }[]): Promise<ImportOutcome[]> {
  const outcomes = new Map<object, ImportOutcome>();
  await importSupplier(ports, scope, rows, context, (row, result) =>
    outcomes.set(row, 'error' in result ? result : result.outcome),
  );
  return rows.map((row) => outcomes.get(row) ?? { error: 'not settled' });
}

const some = (count: number) => Array.from({ length: count }, (_, index) => aRow(`${index + 1}`, 'only'));
const created = (count: number) => Array.from({ length: count }, (): ImportOutcome => 'created');
const lost = {
  error: 'record: not written, because others kept changing the invoice or the table was overloaded; import it again',
};

// The pauses between attempts are random, from nothing on.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => void vi.restoreAllMocks());

describe('the records of a supplier', () => {
  it('are written together, but one of an invoice only after the one before it', async () => {
    const { ports, commits } = aStore();
    const rows = [aRow('1', 'first'), aRow('2', 'only'), aRow('1', 'second'), aRow('1', 'second')];
    expect(await importRows(ports, rows)).toEqual(['created', 'created', 'changed', 'unchanged']);
    expect(commits).toEqual([['1 first', '2 only'], ['1 second']]);
  });

  it('are written even when some of many transactions lose every race, which are tried ten times by themselves', async () => {
    const contended = ['1', '50', '99', '100', '777'];
    const { ports, commits } = aStore({ contended });
    const expected = created(1000);
    for (const id of contended) expected[Number(id) - 1] = lost;
    expect(await importRows(ports, some(1000))).toEqual(expected);
    // Halves until it stands alone, and then ten attempts of its own.
    expect(commits.filter((ids) => ids.includes('777 only'))).toHaveLength(5 + 10);
  });

  it('are written even when one of their transaction is refused, and only that one is rejected, with the reason', async () => {
    const { ports } = aStore({ refused: ['17'] });
    const refused = { error: 'record: was rejected (it is too odd)' };
    expect(await importRows(ports, some(99))).toEqual(created(99).with(16, refused));
  });

  it('are written together again once no race is lost any more', async () => {
    const { ports, commits } = aStore();
    let losses = 2;
    const { invoiceWriter } = ports;
    const commit: typeof invoiceWriter.commit = async (...args) =>
      losses-- > 0 ? { kind: 'conflict', current: [] } : invoiceWriter.commit(...args);
    const busy = { ...ports, invoiceWriter: { ...invoiceWriter, commit } };
    const rows = [...some(16), ...some(16).map(({ value }) => aRow(value.invoice_id, 'later'))];
    expect(new Set(await importRows(busy, rows))).toEqual(new Set(['created', 'changed']));
    expect(commits.at(-1)).toHaveLength(16);
  });
});

it('an import of an endless stream holds at most one batch of records', async () => {
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
