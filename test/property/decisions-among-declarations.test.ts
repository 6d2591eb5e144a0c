import fc from 'fast-check';
import { expect, it } from 'vitest';
import { planDecision } from '../../infra/ops/review/plan-decision.ts';
import { changeInvoices } from '../../infra/ops/tables/change-invoices.ts';
import { selectTolerance } from '../../lib/domain/tolerance.ts';
import { declareAmounts } from '../../lib/invoices/declare-amounts.ts';
import { buildInvoice } from '../support/data/seed-invoices.ts';
import { createScheduledStore } from '../support/fakes/memory-store.ts';

const scope = { tenant: 't.example', supplierId: '1' };
const IDS = ['1', '2', '3'];
const author = { userId: '1', requestId: 'r', newDeclarationId: () => '9' };
const context = { tolerance: selectTolerance(null, null), ...author };

it('a decision changes only the revision that it names, in any order of reads and writes of declarations', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.record({ invoiceId: fc.constantFrom(...IDS), amount: fc.constantFrom(1, 2) }), { maxLength: 4 }),
      fc.array(fc.nat({ max: 1 }), { minLength: 3, maxLength: 3 }),
      async (scheduler, declarations, revisions) => {
        const invoices = IDS.map((invoiceId) => buildInvoice({ invoiceId }));
        const { written, store, ...memory } = createScheduledStore(scheduler, invoices);
        const row = { supplier_id: '1', system_amount: '1000', decision: 'LIQ' } as const;
        const rows = IDS.map((invoice_id, index) => {
          return { row: { ...row, invoice_id, revision: `${revisions[index]}` }, reason: 'Paid' };
        });
        const outcomes = new Map<string, unknown>();
        const decided = changeInvoices<(typeof rows)[number], string>(memory, rows, {
          tenant: scope.tenant,
          getKey: ({ row: { invoice_id: invoiceId } }) => ({ supplierId: scope.supplierId, invoiceId }),
          plan: (decidedRow, current) => planDecision(decidedRow, current, 'carol'),
          report: (decidedRow, outcome) => outcomes.set(decidedRow.row.invoice_id, outcome),
        });
        const supplier = Promise.all(
          declarations.map((declaration) => declareAmounts(store, scope, [declaration], context)),
        );
        await scheduler.waitFor(Promise.all([decided, supplier]));

        for (const [index, id] of IDS.entries()) {
          const changes = written.flat().filter((change) => change.author && change.after.invoiceId === id);
          expect(changes).toHaveLength(outcomes.get(id) === 'decided' ? 1 : 0);
          for (const { before } of changes) expect(before?.declaration?.revision ?? 0).toBe(revisions[index]);
        }
      },
    ),
    { numRuns: 300 },
  );
});
