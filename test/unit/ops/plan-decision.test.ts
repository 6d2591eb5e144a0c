import { expect, it } from 'vitest';
import { planDecision } from '../../../infra/ops/review/plan-decision.ts';
import type { DecidedRow } from '../../../infra/ops/review/review-sheet.ts';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { buildDeclaration, buildInvoice } from '../../support/data/seed-invoices.ts';

/** An invoice of 1000 in review, version 3, with the declaration 92 of 1050.5. */
const reviewed = buildInvoice({
  invoiceId: '2',
  state: 'REV',
  declaration: buildDeclaration({ declarationId: '92', amount: decimal('1050.5') }),
  requiresManualReview: true,
  version: 3,
});
const undeclared = { declaration: null, state: 'PEN' } as const;
const settled = { state: 'LIQ' } as const;
const withdrawn = { isWithdrawn: true } as const;
const ROW = { supplier_id: '10', invoice_id: '2', revision: '1', decision: 'APR' } as const;

/** Plans the decision of a row on an invoice that differs from `reviewed`. */
function plan(changedRow: Partial<DecidedRow['row']>, changedInvoice: Partial<Invoice> = {}) {
  const decidedRow = { row: { ...ROW, ...changedRow }, reason: 'Seen' };
  const scope = { tenant: 't.example', supplierId: '10' };
  const invoice = { ...reviewed, ...changedInvoice };
  return planDecision(decidedRow, { scope, invoice, zeroVariant: undefined }, 'carol');
}

it.each<[error: string, row: Partial<DecidedRow['row']>, invoice?: Partial<Invoice>]>([
  ['declared_amount: 1050.6 → 1050.5', { declared_amount: '1050.6' }],
  ['declared_amount: 5 → none', { declared_amount: '5', revision: '0' }, undeclared],
  ['declaration_id: is none', { declaration_id: '9', revision: '0' }, undeclared],
  ['declaration_id: is 92', { declaration_id: '1' }],
  ['system_amount: 999 → 1000', { system_amount: '999' }],
  ['revision: expected 3, but the latest is 1', { revision: '3' }],
  ['revision: expected 1, but the latest is 0 (no declaration)', {}, undeclared],
  ['revision: the supplier has declared 1050.5 since (revision 0 → 1)', { revision: null }],
  ['state_code: PEN → REV', { state_code: 'PEN' }],
  ['version: 2 → 3: the invoice has changed since the sheet was exported', { version: '2', state_code: 'REV' }],
  ['decision: the invoice is settled (LIQ); only set-state --force can change it', {}, settled],
  ['decision: the invoice is settled (LIQ); only withdraw-invoice --force can', { decision: 'WITHDRAW' }, settled],
  [
    'decision: the invoice is withdrawn; to restore it, run restore-invoice or decide RESTORE',
    { decision: 'REC' },
    withdrawn,
  ],
  ['decision: AJU requires an approved_amount', { decision: 'AJU' }],
  ['decision: approved_amount: requires the state APR, AJU, LIQ, not REC', { decision: 'REC', approved_amount: '9' }],
  ['decision: paid_on: requires the state LIQ, not APR', { paid_on: '2026-09-03' }],
  ['decision: payment_reference: requires the state LIQ, not APR', { payment_reference: 'T-1' }],
  [
    'decision: the invoice is settled (LIQ); only set-state --force can change it',
    { decision: 'LIQ', approved_amount: '900' },
    settled,
  ],
  ['version: is required to withdraw or restore an invoice; export the sheet again', { decision: 'WITHDRAW' }],
  ['version: is required to withdraw or restore', { decision: 'RESTORE' }, withdrawn],
  ['version: 1 → 3: ', { version: '1', decision: 'WITHDRAW' }],
  ['version: 1 → 3: ', { version: '1', decision: 'RESTORE' }, withdrawn],
])('a decision is rejected with "%s" if its row is %j and the invoice has %j', (error, row, invoice) => {
  expect(plan(row, invoice)).toEqual({ change: null, outcome: { error: expect.stringContaining(error) } });
});

it.each<[row: Partial<DecidedRow['row']>, invoice: Partial<Invoice>]>([
  [{ decision: 'APR', state_code: 'PEN', version: '1' }, { state: 'APR' }],
  [{ decision: 'LIQ', version: '1' }, settled],
  [{ decision: 'WITHDRAW', version: '1' }, withdrawn],
  [{ decision: 'RESTORE', version: '1' }, {}],
])('a decision that is already in effect changes nothing, also with an old version: %j', (row, invoice) => {
  expect(plan(row, invoice)).toEqual({ change: null, outcome: 'unchanged' });
});

it.each<[decision: DecidedRow['row']['decision'], before: Partial<Invoice>, after: Partial<Invoice>]>([
  ['APR', {}, { state: 'APR', requiresManualReview: false }],
  ['WITHDRAW', {}, { isWithdrawn: true, requiresManualReview: true }],
  ['RESTORE', withdrawn, { isWithdrawn: false, state: 'REV' }],
])('the decision %s on a row that describes the current invoice makes one new version', (decision, before, after) => {
  const { outcome, change } = plan({ decision, version: '3', state_code: 'REV', declared_amount: '1050.50' }, before);
  expect([outcome, change?.author]).toEqual(['decided', { changedBy: 'carol', reason: 'Seen' }]);
  expect(change?.after).toMatchObject({ ...after, version: 4 });
});

it('a decision on an invoice that does not exist is rejected', () => {
  const current = { scope: { tenant: 't.example', supplierId: '10' }, invoice: null, zeroVariant: undefined };
  const { outcome } = planDecision({ row: ROW, reason: 'Seen' }, current, 'carol');
  expect(outcome).toEqual({ error: expect.stringMatching(/^invoice_id: the supplier has no such invoice; /) });
});

const adjusted: Partial<Invoice> = {
  state: 'AJU',
  notice: { message: 'No night rate', approvedAmount: decimal('900'), paidOn: null, paymentReference: null },
};

it.each<[what: string, row: Partial<DecidedRow['row']>, invoice: Partial<Invoice>, notice: Partial<Invoice['notice']>]>(
  [
    ['contains what the row contains', { decision: 'REC', message: ' No receipt ' }, {}, { message: 'No receipt' }],
    [
      'has an approved amount',
      { decision: 'AJU', approved_amount: '900.50' },
      {},
      { approvedAmount: decimal('900.5') },
    ],
    [
      'keeps the approved amount, but not the message of the earlier state',
      { decision: 'LIQ', message: 'No night rate', approved_amount: '900', paid_on: '2026-09-03' },
      adjusted,
      { message: null, approvedAmount: decimal('900'), paidOn: '2026-09-03' },
    ],
    [
      'loses an approved amount that the sheet contained already',
      { decision: 'REC', approved_amount: '900' },
      adjusted,
      { approvedAmount: null },
    ],
    [
      'gets the payment of an invoice that is already settled',
      { decision: 'LIQ', payment_reference: 'T-1' },
      settled,
      { paymentReference: 'T-1' },
    ],
  ],
)('after a decision, the notice %s: %j', (_, row, invoice, notice) => {
  const { change } = plan({ revision: '1', ...row }, invoice);
  expect(change?.after).toMatchObject({ state: row.decision, notice });
});
