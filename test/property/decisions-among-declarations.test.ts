import fc from 'fast-check';
import { expect, it } from 'vitest';
import { applyDecisions, type DecisionOutcome } from '../../infra/ops/review/decide.ts';
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
        const ports = { ...memory, histories: { read: async () => [] } };
        const row = { supplier_id: '1', system_amount: '1000', decision: 'LIQ' } as const;
        const decisions = IDS.map((invoice_id, index) => {
          return {
            line: index,
            row: { ...row, invoice_id, revision: `${revisions[index]}` },
            reason: 'Paid',
            errors: [],
          };
        });
        const outcomes = new Map<string, DecisionOutcome>();
        const options = { tenant: scope.tenant, decidedBy: 'carol', stop: new AbortController().signal };
        const decided = applyDecisions(ports, decisions, options, (decision, outcome) => {
          outcomes.set(decision.row.invoice_id, outcome);
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
