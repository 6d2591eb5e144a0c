import { expect, it } from 'vitest';
import type { RevisionKey } from '../../../lib/admin/ports/admin-ports.ts';
import { reviewedInvoices } from '../../../lib/admin/review/reviewed-invoices.ts';
import { itemsOf } from '../../../lib/runtime/pages.ts';
import { aDeclaration, anInvoice, aRevision } from '../../support/data/seed-invoices.ts';

const MAX_READ = 100;

it('every declared invoice of a page has the time of its declaration, which is read in parts of at most 100', async () => {
  const page = Array.from({ length: 2 * MAX_READ + 1 }, (_, index) =>
    anInvoice({ invoiceId: `${index}`, declaration: aDeclaration() }),
  );
  const reads: number[] = [];
  const ports = {
    records: {
      read: async () => [{ tenant: 't.example' }],
      async *pages() {
        yield [{ supplier_id: '1', company_id: '1' }];
      },
    },
    counters: { months: async () => ['2026-03'] },
    async *listedInvoices() {
      yield page;
    },
    declarations: {
      async revisions(_: unknown, keys: readonly RevisionKey[]) {
        reads.push(keys.length);
        return keys.map(({ invoiceId }) => aRevision(invoiceId, 1));
      },
    },
  };
  const range = { startMs: Date.parse('2026-03-01'), endMs: Date.parse('2026-03-31') };
  const wanted = { tenant: 't.example', supplierIds: [], range, state: null, declaredSince: null };
  const invoices = await itemsOf(reviewedInvoices(ports as never, wanted));
  const { declaredAt } = aRevision('1', 1);
  expect(invoices.map((invoice) => [invoice.invoiceId, invoice.declaredAt])).toEqual(
    page.map(({ invoiceId }) => [invoiceId, declaredAt]),
  );
  expect(reads).toEqual([MAX_READ, MAX_READ, 1]);
});
