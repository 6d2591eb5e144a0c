import { expect, it } from 'vitest';
import { mergeRecord } from '../../../infra/ops/import/merge-record.ts';
import type { InvoiceRecord } from '../../../infra/ops/import/record-schema.ts';
import { IMPORTER } from '../../../lib/domain/declaration.ts';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { NO_NOTICE } from '../../../lib/domain/notice.ts';
import type { Tolerance } from '../../../lib/domain/tolerance.ts';

const tolerance: Tolerance = { mode: 'PCT', pct: decimal(5), abs: null, autoApprove: true, source: 'global' };
const now = new Date('2026-07-02T08:00:00.000Z');
const context = { tolerance, now, requestId: 'run-1', newDeclarationId: () => '9001' };
const forceAuthor = { changedBy: 'carol', reason: 'Corrected' };
const ids = { invoice_id: '1', supplier_id: '10' };
const record: InvoiceRecord = { ...ids, service_id: '5', system_amount: '100.50' };
const declared = { declared_amount: '105', declared_notes: 'tolls', provider_invoice_number: 'F-1' };

/** Returns the change that a record makes, or throws its error. */
function computeChange(before: Invoice | null, overrides: Partial<InvoiceRecord>, options: object = {}) {
  const change = mergeRecord(before, { ...record, ...overrides }, { ...context, ...options });
  if (change && 'error' in change) throw new Error(change.error);
  return change;
}

/** Returns the invoice that a record creates. */
function createInvoice(overrides: Partial<InvoiceRecord> = {}): Invoice {
  const change = computeChange(null, overrides);
  if (!change) throw new Error('Nothing was imported.');
  return change.after;
}

it('a new invoice is PEN, has no declaration and version 1, and is sorted by the import time by default', () => {
  const sortDate = now.toISOString();
  const after = { state: 'PEN', declaration: null, requiresManualReview: false, concepts: [], version: 1, sortDate };
  const expected = expect.objectContaining({ ...after, systemAmount: decimal('100.5') });
  expect(computeChange(null, {})).toMatchObject({ before: null, after: expected, revision: undefined });
});

it('a new invoice has the declaration of its record as revision 1, evaluated with the current tolerance', () => {
  const change = computeChange(null, { ...declared, declaration_id: '777', state_code: 'REC' });
  const declaration = { declarationId: '777', revision: 1, amount: decimal(105), notes: 'tolls', taxPct: null };
  const providerInvoice = { number: 'F-1', date: null };
  expect(change?.after).toMatchObject({ state: 'REC', declaration, providerInvoice });
  const outcome = expect.objectContaining({ isWithinTolerance: true, difference: decimal('4.5') });
  const ofImport = { declaredBy: IMPORTER, declaredAt: now.toISOString(), requestId: 'run-1' };
  const ofInvoice = { invoiceId: '1', systemAmount: decimal('100.5'), providerInvoice, requiresManualReview: false };
  expect(change?.revision).toMatchObject({ ...declaration, ...ofInvoice, ...ofImport, outcome });
});

it('a record without a required field does not create an invoice', () => {
  const results = [{ system_amount: '1' }, { city: 'Salta' }].map((fields) =>
    mergeRecord(null, { ...ids, ...fields }, context),
  );
  expect(results).toEqual([
    { error: 'record: a new invoice requires service_id' },
    { error: 'record: a new invoice requires service_id, system_amount' },
  ]);
});

it('the tax of a declaration changes only if a record contains a tax', () => {
  const invoice = createInvoice({ ...declared, declared_tax_pct: '10.50' });
  expect(invoice.declaration?.taxPct).toEqual(decimal('10.5'));
  expect(computeChange(invoice, declared)).toBeNull();
  expect(computeChange(invoice, { declared_tax_pct: null })?.after.declaration).toMatchObject({
    taxPct: null,
    revision: 2,
  });
});

// test/property/imported-fields.test.ts proves which fields a record changes.
it('a workbook with the same wall times does not change the dates of an invoice, but another file does', () => {
  const invoice = createInvoice({ invoice_date: '2026-05-01T22:30:00-03:00' });
  const workbook = { invoice_date: '2026-05-01T22:30:00' };
  expect(computeChange(invoice, workbook, { isWorkbook: true })).toBeNull();
  expect(computeChange(invoice, workbook)?.after).toMatchObject({ invoiceDate: workbook.invoice_date });
});

it('an invoice has amounts without binary rounding errors, and a record with the same errors changes nothing', () => {
  const amounts = { unit_amount: '-0.00', quantity: '1.0', tax_pct: '21', total: '3.3000000000000003' };
  const concepts = [{ concept_id: '1', description: 'x', ...amounts }];
  const noisy = { declared_amount: '1128.1100000000001', concepts };
  const invoice = createInvoice(noisy);
  expect([invoice.declaration?.amount, invoice.concepts[0]?.total]).toEqual([decimal('1128.11'), decimal('3.3')]);
  expect(computeChange(invoice, noisy)).toBeNull();
});

const amountError = 'system_amount: 100.5 → 1, but the invoice';
const fixed = 'is declared, approved or settled';
const settled = `, but the invoice (LIQ) ${fixed}; state_code: LIQ → REV, but the company has set LIQ`;
it.each<[before: Partial<InvoiceRecord>, error: string]>([
  [{ ...declared, state_code: 'LIQ' }, `${amountError} (LIQ) ${fixed}; declared_amount: 105 → 106${settled}`],
  [{ state_code: 'LIQ' }, `${amountError} (LIQ) ${fixed}; declared_amount: none → 106${settled}`],
  [{ state_code: 'APR' }, `${amountError} (APR) ${fixed}`],
  [declared, `${amountError} (PEN) ${fixed}`],
])('protected fields of an invoice with %j change only with force', (before, error) => {
  const stored = createInvoice(before);
  const fields = { system_amount: '1', declared_amount: '106', state_code: 'REV' } as const;
  const hint = '; to change it, pass --force and --reason';
  expect(mergeRecord(stored, { ...record, ...fields }, context)).toEqual({ error: error + hint });
  const after = computeChange(stored, fields, { forceAuthor })?.after;
  expect([after?.systemAmount, after?.declaration?.amount]).toEqual([decimal(1), decimal(106)]);
});

it('a record contains the fields of a notice, omitted fields keep their values, and null clears them', () => {
  const paid = createInvoice({ state_code: 'LIQ', paid_on: '2026-09-03', payment_reference: 'T-1', message: ' ' });
  expect(paid.notice).toEqual({ ...NO_NOTICE, paidOn: '2026-09-03', paymentReference: 'T-1' });
  const changed = computeChange(paid, { payment_reference: null, message: 'Paid in two parts' });
  expect(changed?.after.notice).toEqual({ ...NO_NOTICE, paidOn: '2026-09-03', message: 'Paid in two parts' });
  const reopened = computeChange(paid, { state_code: 'PEN' }, { forceAuthor });
  expect(reopened?.after.notice).toEqual(NO_NOTICE);
});

it.each<[error: string, fields: Partial<InvoiceRecord>]>([
  ['approved_amount: requires the state APR, AJU, LIQ, not REC', { state_code: 'REC', approved_amount: '9' }],
  ['paid_on: requires the state LIQ, not PEN', { paid_on: '2026-09-03' }],
  ['payment_reference: requires the state LIQ, not AJU', { state_code: 'AJU', payment_reference: 'T-1' }],
])('a record is rejected with "%s" if the state of the invoice cannot have the field: %j', (error, fields) => {
  expect(() => computeChange(null, fields)).toThrow(error);
});

it('the approved amount of a settled invoice changes only with force', () => {
  const paid = createInvoice({ ...declared, state_code: 'LIQ', approved_amount: '100' });
  expect(() => computeChange(paid, { approved_amount: '90' })).toThrow(
    'approved_amount: 100 → 90, but the invoice (LIQ) is',
  );
  expect(computeChange(paid, { approved_amount: '90' }, { forceAuthor })?.author).toEqual(forceAuthor);
});

it('the notice of a record is ignored together with its state if the supplier has declared the invoice', () => {
  const imported = createInvoice(declared);
  const declaration = imported.declaration && { ...imported.declaration, declaredBy: '7' };
  const invoice: Invoice = { ...imported, state: 'REV', declaration };
  expect(computeChange(invoice, { state_code: 'LIQ', paid_on: '2026-09-03', message: 'Paid' })).toBeNull();
  expect(computeChange(invoice, { message: 'We are checking it' })?.after.notice.message).toBe('We are checking it');
});
