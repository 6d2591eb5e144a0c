import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { toHistoryEntry } from '../../lib/contracts/to-response.ts';
import { declareAmount } from '../../lib/domain/declaration.ts';
import { type InvoiceChange, withState, withWithdrawal } from '../../lib/domain/invoice-change.ts';
import { listHistoryEntries } from '../../lib/domain/invoice-history.ts';
import type { Invoice } from '../../lib/domain/invoice.ts';
import { DECISIONS } from '../../lib/domain/invoice-states.ts';
import { decimal } from '../../lib/domain/money.ts';
import { buildNextVersion } from '../../lib/domain/next-version.ts';
import { selectTolerance } from '../../lib/domain/tolerance.ts';
import { buildHistoryItem, toRecordedChange } from '../../lib/tables/history-items.ts';
import { buildInvoice } from '../support/data/seed-invoices.ts';

const scope = { tenant: 't.example', supplierId: '10' };
const author = { changedBy: 'carol', reason: 'Internal' };
const now = new Date('2026-09-01T10:00:00.000Z');

const message = fc.constantFrom(undefined, null, 'No receipt');
const approvedAmount = fc.constantFrom(undefined, null, decimal(900));

/** Generates functions that change an invoice as the supplier or a command of the company does. */
const steps = fc.array(
  fc.oneof(
    fc.constantFrom(999, 1000, 1050).map((amount) => (before: Invoice): InvoiceChange | null => {
      if (before.state === 'LIQ') return null;
      const context = {
        tolerance: selectTolerance(null, null),
        userId: '7',
        requestId: 'r',
        now,
        newDeclarationId: () => '9',
      };
      const { invoice: after, revision } = declareAmount(before, { invoiceId: '1', amount }, context);
      return revision && { before, after, revision };
    }),
    fc.tuple(fc.constantFrom(...DECISIONS), message, approvedAmount).map(([state, ...notice]) => (before: Invoice) => {
      const after = withState(before, state, now, { message: notice[0], approvedAmount: notice[1] });
      return { before, after, author };
    }),
    fc.constantFrom({ systemAmount: decimal(700) }, { city: 'Salta' }).map((changes) => (before: Invoice) => {
      return { before, after: buildNextVersion(before, changes, now), author };
    }),
    fc.boolean().map((isWithdrawn) => (before: Invoice) => {
      return { before, after: withWithdrawal(before, isWithdrawn, now), author };
    }),
  ),
);

it('each entry of a history contains the values that the invoice had after the change, newest first', () => {
  fc.assert(
    fc.property(steps, (changes) => {
      let invoice = buildInvoice({ invoiceId: '1', state: 'PEN' });
      const written: InvoiceChange[] = [];
      for (const change of changes) {
        const planned = change(invoice);
        if (planned) written.unshift(planned);
        invoice = planned?.after ?? invoice;
      }
      const items = written.map((change) => buildHistoryItem(scope, change, undefined)!);
      const entries = listHistoryEntries(invoice, items.toReversed().map(toRecordedChange)).map(toHistoryEntry);
      expect(entries).toEqual(
        written.map(({ after, revision }) => {
          const declaredAmount = after.declaration?.amount ?? null;
          return expect.objectContaining({
            changed_at: after.changedAt,
            state_code: after.state,
            system_amount: after.systemAmount.toNumber(),
            declared_amount: declaredAmount && declaredAmount.toNumber(),
            difference: declaredAmount && declaredAmount.minus(after.systemAmount).toNumber(),
            message: after.notice.message,
            approved_amount: after.notice.approvedAmount && after.notice.approvedAmount.toNumber(),
            action: revision ? revision.outcome.action : null,
            declared_by_me: revision !== undefined,
          });
        }),
      );
    }),
    { numRuns: 1_000 },
  );
});
