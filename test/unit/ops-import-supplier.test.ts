import { describe, expect, it } from 'vitest';
import { type ImportOutcome, importSupplier, type InvoiceStore } from '../../infra/ops/import/import-supplier.ts';
import type { InvoiceRecord } from '../../infra/ops/import/record-schema.ts';
import type { Invoice } from '../../lib/domain/invoice.ts';

const scope = { tenant: 't.example', supplierId: '10' };
const tolerance = { mode: null, pct: null, abs: null, autoApprove: false, source: 'ninguna' } as const;
const context = { tolerance, now: new Date(0), requestId: 'run-1', newDeclarationId: () => '1' };

const aRow = (invoiceId: string, city: string): { record: InvoiceRecord } => ({
  record: { invoice_id: invoiceId, supplier_id: '10', service_id: '5', system_amount: '1', city },
});

/** A store in memory that keeps what was committed, or lets every commit lose its race. */
function aStore({ losesRaces }: { losesRaces: boolean }) {
  const invoices = new Map<string, Invoice>();
  const commits: string[][] = [];
  const store: InvoiceStore = {
    read: async (_, ids) => ids.map((id) => ({ invoice: invoices.get(id) ?? null, declaredHere: false })),
    async commit(_, changes) {
      commits.push(changes.map(({ after }) => `${after.invoiceId} ${after.city}`));
      if (losesRaces) return { committed: false, current: [] };
      for (const { after } of changes) invoices.set(after.invoiceId, after);
      return { committed: true };
    },
  };
  return { store, commits };
}

async function importRows(store: InvoiceStore, rows: readonly { record: InvoiceRecord }[]): Promise<ImportOutcome[]> {
  const outcomes = new Map<object, ImportOutcome>();
  await importSupplier(store, scope, rows, context, (row, outcome) => outcomes.set(row, outcome));
  return rows.map((row) => outcomes.get(row) ?? { fault: 'not settled' });
}

describe('the records of a supplier', () => {
  it('are written together, but one of an invoice only after the one before it', async () => {
    const { store, commits } = aStore({ losesRaces: false });
    const rows = [aRow('1', 'first'), aRow('2', 'only'), aRow('1', 'second'), aRow('1', 'second')];
    expect(await importRows(store, rows)).toEqual(['created', 'created', 'changed', 'unchanged']);
    expect(commits).toEqual([['1 first', '2 only'], ['1 second']]);
  });

  it('that keep losing their race are given up after ten rounds', async () => {
    const { store, commits } = aStore({ losesRaces: true });
    const fault = 'record: others kept changing the invoice, or the table was overloaded';
    expect(await importRows(store, [aRow('1', 'first'), aRow('2', 'only')])).toEqual([{ fault }, { fault }]);
    expect(commits).toHaveLength(10);
  });
});
