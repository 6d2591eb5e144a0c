import fc from 'fast-check';
import { expect, it } from 'vitest';
import { planRecord, type RecordResult } from '../../infra/ops/import/import-invoices.ts';
import { changeInvoices } from '../../infra/ops/tables/change-invoices.ts';
import { IMPORTER } from '../../lib/domain/declaration.ts';
import { describeStateChange, isSystemAmountFixed } from '../../lib/domain/invoice-change.ts';
import { selectTolerance } from '../../lib/domain/tolerance.ts';
import { declareAmounts } from '../../lib/invoices/declare-amounts.ts';
import { buildInvoice } from '../support/data/seed-invoices.ts';
import { createScheduledStore } from '../support/fakes/memory-store.ts';

const scope = { tenant: 't.example', supplierId: '1' };
const IDS = ['1', '2', '3'];
const author = { userId: '1', requestId: 'r', newDeclarationId: () => '9' };
const context = { tolerance: selectTolerance(null, null), ...author };
const forceAuthor = { changedBy: 'carol', reason: 'Corrected' };

it('an import during declarations changes a declared or settled amount only with force, and records both amounts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.record({ invoiceId: fc.constantFrom(...IDS), amount: fc.constantFrom(1, 2) }), { maxLength: 4 }),
      fc.constantFrom('PEN', 'REV', 'LIQ'),
      fc.boolean(),
      async (scheduler, declarations, state, isForced) => {
        const invoices = IDS.map((invoiceId) => buildInvoice({ invoiceId, state }));
        const { written, store, ...memory } = createScheduledStore(scheduler, invoices);
        const records = IDS.map((invoice_id) => ({ invoice_id, supplier_id: '1', system_amount: '999' }));
        const planContext = { ...context, forceAuthor: isForced ? forceAuthor : undefined };
        const outcomes = new Map<string, unknown>();
        const imported = changeInvoices<(typeof records)[number], RecordResult>(memory, records, {
          tenant: scope.tenant,
          getKey: ({ invoice_id: invoiceId, supplier_id: supplierId }) => ({ supplierId, invoiceId }),
          plan: (record, current) => planRecord(record, current, planContext),
          report: ({ invoice_id }, result) => outcomes.set(invoice_id, 'outcome' in result && result.outcome),
        });
        const supplier = Promise.all(
          declarations.map((declaration) => declareAmounts(store, scope, [declaration], context)),
        );
        await scheduler.waitFor(Promise.all([imported, supplier]));

        for (const id of IDS) {
          const changes = written
            .flat()
            .filter(
              ({ before, after }) => after.invoiceId === id && before && !before.systemAmount.eq(after.systemAmount),
            );
          expect(changes).toHaveLength(outcomes.get(id) === 'changed' ? 1 : 0);
          for (const { before, after, author: changeAuthor } of changes) {
            const isFixed = before !== null && isSystemAmountFixed(before);
            expect(isFixed && !isForced).toBe(false);
            expect(changeAuthor).toEqual(isFixed ? forceAuthor : { changedBy: IMPORTER, reason: null });
            const amounts = { fromSystemAmount: before?.systemAmount, toSystemAmount: after.systemAmount };
            expect(before && describeStateChange(before, after)).toMatchObject(amounts);
          }
        }
      },
    ),
    { numRuns: 300 },
  );
});
