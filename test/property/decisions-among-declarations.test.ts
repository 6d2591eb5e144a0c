import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decide, type DecisionOutcome } from '../../infra/ops/invoices/apply-decisions.ts';
import { decimal } from '../../lib/domain/money.ts';
import { effectiveTolerance } from '../../lib/domain/tolerance.ts';
import { declareAmounts } from '../../lib/services/declare-amounts.ts';
import { anInvoice } from '../support/data/seed-invoices.ts';
import { scheduledStore } from '../support/fakes/scheduled-store.ts';

const scope = { tenant: 't.example', supplierId: '1' };
const IDS = ['1', '2', '3'];
const by = { userId: '1', requestId: 'r', now: new Date(0), newDeclarationId: () => '9' };
const context = { tolerance: effectiveTolerance(null, null), ...by };

it('decisions while the supplier declares, in any order of reads and writes land on the declaration that they name, or are rejected', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.record({ invoiceId: fc.constantFrom(...IDS), amount: fc.constantFrom(1, 2) }), { maxLength: 4 }),
      fc.array(fc.nat({ max: 1 }), { minLength: 3, maxLength: 3 }),
      async (scheduler, declared, revisions) => {
        const invoices = IDS.map((invoiceId) => anInvoice({ invoiceId }));
        const { written, getMany, writer } = scheduledStore(scheduler, invoices);
        const ports = {
          invoices: { getMany, getOfEach: async () => [] },
          invoiceWriter: writer,
          idsWithLeadingZeros: async function* () {},
          declarations: { revisions: async () => [], history: async () => [], ofRequest: async () => [] },
        };
        const decisions = IDS.map((invoiceId, index) => ({
          ...{ line: index, row: {}, supplierId: '1', invoiceId, declarationId: null, declaredAmount: null },
          ...({ systemAmount: decimal(1000), seenState: null, state: 'LIQ', reason: 'Paid' } as const),
          revision: revisions[index] ?? 0,
        }));
        const outcomes = new Map<string, DecisionOutcome>();
        const decided = decide(ports, decisions, {
          ...{ tenant: scope.tenant, decidedBy: 'carol', clock: { now: () => new Date(0) } },
          report: ({ invoiceId }, outcome) => outcomes.set(invoiceId, outcome),
        });
        const supplier = Promise.all(
          declared.map((one) => declareAmounts({ getMany, ...writer }, scope, [one], context)),
        );
        await scheduler.waitFor(Promise.all([decided, supplier]));

        for (const { invoiceId, revision } of decisions) {
          const moves = written.filter(({ after, stateChange }) => stateChange && after.invoiceId === invoiceId);
          expect(moves).toHaveLength(outcomes.get(invoiceId) === 'decided' ? 1 : 0);
          for (const { before } of moves) expect(before?.declaration?.revision ?? 0).toBe(revision);
        }
      },
    ),
    { numRuns: 300 },
  );
});
