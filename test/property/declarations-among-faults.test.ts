import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { DeclarationResult } from '../../lib/domain/declaration.ts';
import { withState, withWithdrawal } from '../../lib/domain/invoice-change.ts';
import type { Invoice } from '../../lib/domain/invoice.ts';
import { selectTolerance } from '../../lib/domain/tolerance.ts';
import { declareAmounts } from '../../lib/invoices/declare-amounts.ts';
import { buildInvoice } from '../support/data/seed-invoices.ts';
import { createMemoryStore, SEND_FAULTS } from '../support/fakes/memory-store.ts';

const scope = { tenant: 't.example', supplierId: '1' };
const IDS = ['1', '2', '3'] as const;
const context = {
  tolerance: selectTolerance(null, null),
  ...{ userId: '1', requestId: 'r', newDeclarationId: () => '9' },
};

const invoiceId = fc.constantFrom(...IDS);
/** Generates the times of the previous changes: in the past, or after a clock that was a year ahead. */
const times = fc.array(fc.constantFrom('2026-03-15T12:00:00.000Z', '2027-11-28T12:00:00.000Z'), {
  minLength: IDS.length,
  maxLength: IDS.length,
});
const batches = fc.array(fc.array(invoiceId, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 });
const companyChanges = fc.array(fc.record({ id: invoiceId, kind: fc.constantFrom('state', 'withdrawal') }), {
  maxLength: 2,
});
const faults = fc.array(fc.option(fc.constantFrom(...SEND_FAULTS)), { maxLength: 12 });

// Without a back-off, failures take no time.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => void vi.restoreAllMocks());

it('batches leave complete histories and true results, whatever fails and whoever else changes the invoices', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.record({ times, batches, companyChanges, faults }),
      async (scheduler, { times: changedAt, batches: batchIds, ...events }) => {
        const invoices = IDS.map((id, index) => buildInvoice({ invoiceId: id, changedAt: changedAt[index] ?? '' }));
        const remainingFaults = [...events.faults];
        const { store, commit, stored, written, writeLate } = createMemoryStore(invoices, async () => {
          await scheduler.schedule(Promise.resolve(), 'send');
          return remainingFaults.shift() ?? undefined;
        });
        let amount = 0;
        // Each declaration has its own amount, so that it is found in the history.
        const requests = batchIds.map((ids) => ids.map((id) => ({ invoiceId: id, amount: (amount += 1) })));
        const declared = requests.map((batch) => declareAmounts(store, scope, batch, context));
        const changed = events.companyChanges.map(async ({ id, kind }) => {
          await scheduler.schedule(Promise.resolve(), 'the company');
          const before = stored.get(id) as Invoice;
          const now = new Date();
          const after =
            kind === 'state' ? withState(before, 'REC', now) : withWithdrawal(before, !before.isWithdrawn, now);
          await commit(scope, [{ before, after, author: { changedBy: 'carol', reason: 'test' } }]).catch(() => {});
        });
        const late = scheduler.schedule(Promise.resolve(), 'late writes').then(writeLate);
        const [results] = await scheduler.waitFor(Promise.all([Promise.all(declared), ...changed, late]));
        writeLate();

        const changes = written.flat();
        for (const invoice of invoices) {
          const history = changes.filter(({ after }) => after.invoiceId === invoice.invoiceId);
          const versions = [invoice, ...history.map(({ after }) => after)];
          expect(versions.map(({ version }) => version)).toEqual(versions.map((_, index) => index + 1));
          const changeTimes = versions.map((version) => version.changedAt);
          expect(changeTimes).toEqual([...new Set(changeTimes)].toSorted());
          expect(stored.get(invoice.invoiceId)).toEqual(versions.at(-1));
        }
        for (const [index, request] of requests.flat().entries()) {
          const revisions = changes.flatMap(({ revision }) => (revision?.amount.eq(request.amount) ? [revision] : []));
          const result = results.flat()[index] as DeclarationResult;
          const isUnknown = result.kind === 'rejected' && result.error.reason === 'unknown-outcome';
          if (isUnknown) expect(revisions.length).toBeLessThanOrEqual(1);
          else if (result.kind === 'rejected') expect(revisions).toEqual([]);
          else expect(revisions).toMatchObject([result.declaration]);
        }
      },
    ),
    { numRuns: 500 },
  );
});
