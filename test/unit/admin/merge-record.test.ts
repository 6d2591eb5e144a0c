import { describe, expect, it } from 'vitest';
import { mergeRecord, type StoredInvoice } from '../../../lib/admin/import/merge-record.ts';
import type { InvoiceRecord } from '../../../lib/admin/import/record-schema.ts';
import { IMPORTER } from '../../../lib/domain/declaration.ts';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import { decimal } from '../../../lib/domain/money.ts';
import type { InvoiceChange } from '../../../lib/services/transactions.ts';
import type { Tolerance } from '../../../lib/domain/tolerance.ts';

const tolerance: Tolerance = { mode: 'PCT', pct: decimal(5), abs: null, autoApprove: true, source: 'global' };
const now = new Date('2026-07-02T08:00:00.000Z');
const context = { tolerance, now, requestId: 'run-1', newDeclarationId: () => '9001' };
const ids = { invoice_id: '1', supplier_id: '10' };
const record: InvoiceRecord = { ...ids, service_id: '5', system_amount: '100.50' };
const provider = { provider_invoice_number: 'F-1', provider_invoice_date: '2026-07-01' };
const declared = { declared_amount: '105', declared_notes: 'tolls', ...provider };
const none: StoredInvoice = { invoice: null, declaredBySupplier: false };

/** The change that a record makes, which must not be at error. */
function changeOf(stored: StoredInvoice, overrides: Partial<InvoiceRecord>) {
  const change = mergeRecord(stored, { ...record, ...overrides }, context);
  if (change && 'error' in change) throw new Error(change.error);
  return change;
}

/** The invoice that a record leaves behind, as the next import finds it. */
function importedAs(overrides: Partial<InvoiceRecord> = {}): Invoice {
  const change = changeOf(none, overrides);
  if (!change) throw new Error('Nothing was imported.');
  return change.after;
}

const merge = (invoice: Invoice, overrides: Partial<InvoiceRecord>) =>
  changeOf({ invoice, declaredBySupplier: false }, overrides);

describe('a new invoice', () => {
  it('is pending, undeclared, of version 1 and sorted by the time of the import unless the record says more', () => {
    const sortDate = now.toISOString();
    const after = { state: 'PEN', declaration: null, requiresManualReview: false, concepts: [], version: 1, sortDate };
    const expected = expect.objectContaining({ ...after, systemAmount: decimal('100.5') });
    expect(changeOf(none, {})).toEqual({ before: null, after: expected, revisions: [] });
    expect(changeOf(none, { state_code: 'LIQ' })?.stateChange).toBeUndefined();
  });

  it('takes a declaration over as revision 1, with the outcome under the tolerance of today', () => {
    const change = changeOf(none, { ...declared, declaration_id: '777', state_code: 'REC' });
    const declaration = { declarationId: '777', revision: 1, amount: decimal(105), notes: 'tolls', taxPct: null };
    const providerInvoice = { number: 'F-1', date: '2026-07-01' };
    expect(change?.after).toMatchObject({ state: 'REC', declaration, providerInvoice });
    const outcome = expect.objectContaining({ withinTolerance: true, difference: decimal('4.5') });
    const author = {
      requiresManualReview: false,
      declaredBy: IMPORTER,
      declaredAt: now.toISOString(),
      requestId: 'run-1',
    };
    const ofInvoice = { invoiceId: '1', systemAmount: decimal('100.5'), providerInvoice };
    const revision = expect.objectContaining({ ...declaration, ...ofInvoice, outcome, ...author });
    expect(change?.revisions).toEqual([revision]);
  });

  it.each([
    [{ system_amount: '1' }, 'record: a new invoice requires service_id'],
    [{ service_id: '5' }, 'record: a new invoice requires system_amount'],
    [{ city: 'Salta' }, 'record: a new invoice requires service_id and system_amount'],
  ])('is not made of a record that has only %j beside its ids', (fields, error) => {
    expect(mergeRecord(none, { ...ids, ...fields }, context)).toEqual({ error });
  });

  it('has the tax of its declaration, which an import changes only if it says one', () => {
    const invoice = importedAs({ ...declared, declared_tax_pct: '10.50' });
    expect(invoice.declaration?.taxPct).toEqual(decimal('10.5'));
    expect(merge(invoice, { ...declared })).toBeNull();
    expect(merge(invoice, { declared_tax_pct: null })?.after.declaration).toMatchObject({ taxPct: null, revision: 2 });
  });

  it('takes no declaration over without an amount, and gives one without an id a new one', () => {
    expect(importedAs({ declaration_id: '777', declared_notes: 'tolls' }).declaration).toBeNull();
    const { declaration } = importedAs({ declared_amount: '0' });
    expect(declaration).toMatchObject({ declarationId: '9001', amount: decimal(0) });
  });
});

it('a workbook that shows the wall times of stored dates changes none of them, and other records do', () => {
  const stored = '2026-05-01T22:30:00-03:00';
  const dates = (date: string) => ({ invoice_date: date, service_call_date: date, provider_invoice_date: date });
  const invoice = importedAs(dates(stored));
  const workbook = { ...record, ...dates('2026-05-01T22:30:00') };
  expect(mergeRecord({ invoice, declaredBySupplier: false }, workbook, { ...context, hasWallTimes: true })).toBeNull();
  expect(merge(invoice, workbook)?.after).toMatchObject({ invoiceDate: workbook.invoice_date });
  expect(merge(invoice, workbook)?.after).toMatchObject({ serviceCallDate: workbook.service_call_date });
});

// What any record changes, and what it leaves alone, is a property (imported-fields).
describe('an invoice that is there already', () => {
  const amounts = { unit_amount: '-0.00', quantity: '1.0', tax_pct: '21', total: '3.3000000000000003' };
  const concepts = [{ concept_id: '1', description: 'x', ...amounts }];
  const noisy = { ...declared, declared_amount: '1128.1100000000001', concepts };

  it('has the noise of binary fractions rounded away, and is left alone by the same noise', () => {
    const invoice = importedAs(noisy);
    const { declaration, concepts: lines } = invoice;
    expect([declaration?.amount, lines[0]?.total]).toEqual([decimal('1128.11'), decimal('3.3')]);
    expect(merge(invoice, noisy)).toBeNull();
  });

  it.each<[what: string, before: Partial<InvoiceRecord>, record: Partial<InvoiceRecord>, error: string]>([
    [
      'the amount of an approved one',
      { state_code: 'APR' },
      { system_amount: '99.9' },
      'system_amount: 100.5 → 99.9, but the invoice is APR',
    ],
    [
      'the amount of a settled one',
      { state_code: 'LIQ' },
      { system_amount: '1' },
      'system_amount: 100.5 → 1, but the invoice is LIQ',
    ],
    [
      'the amount of a declared one',
      declared,
      { system_amount: '1' },
      'system_amount: 100.5 → 1, but the invoice is PEN, with 105 declared',
    ],
    [
      'the state of a settled one',
      { state_code: 'LIQ' },
      { state_code: 'PEN' },
      'state_code: LIQ → PEN, but the invoice is settled',
    ],
    [
      'amount and state of a settled one',
      { state_code: 'LIQ' },
      { state_code: 'REV', system_amount: '1' },
      'system_amount: 100.5 → 1, but the invoice is LIQ; state_code: LIQ → REV, but the invoice is settled',
    ],
  ])('keeps %s unless the import is forced, which its history then says', (_, before, fields, error) => {
    const stored = { invoice: importedAs(before), declaredBySupplier: false };
    const hint = '; to change it, pass --force and --reason';
    expect(mergeRecord(stored, { ...record, ...fields }, context)).toEqual({ error: error + hint });
    const force = { changedBy: 'carol', reason: 'Corrected' };
    const change = mergeRecord(stored, { ...record, ...fields }, { ...context, force });
    const { state: to, systemAmount } = (change as InvoiceChange).after;
    expect([to, systemAmount]).toEqual([
      fields.state_code ?? stored.invoice.state,
      decimal(fields.system_amount ?? '100.5'),
    ]);
    const [fromSystemAmount, toSystemAmount] = fields.system_amount ? [decimal('100.5'), systemAmount] : [null, null];
    const entry = {
      from: stored.invoice.state,
      to,
      fromSystemAmount,
      toSystemAmount,
      ...force,
    };
    expect(change).toMatchObject({ stateChange: entry, revisions: [] });
  });

  it('rejects another declared amount of a settled invoice unless the import is forced', () => {
    const settled = { ...declared, state_code: 'LIQ' as const };
    const rejected = (from: string) => ({
      error: `declared_amount: ${from} → 106, but the invoice is LIQ; to change it, pass --force and --reason`,
    });
    const change = { ...record, declared_amount: '106' };
    for (const [before, from] of [
      [settled, '105'],
      [{ state_code: 'LIQ' as const }, 'none'],
    ] as const) {
      const stored = { invoice: importedAs(before), declaredBySupplier: false };
      expect(mergeRecord(stored, change, context)).toEqual(rejected(from));
      const forced = mergeRecord(stored, change, { ...context, force: { changedBy: 'carol', reason: 'Corrected' } });
      expect((forced as InvoiceChange).after.declaration?.amount).toEqual(decimal('106'));
    }
    const same = { invoice: importedAs(settled), declaredBySupplier: false };
    expect(mergeRecord(same, { ...record, ...declared, declared_notes: 'x' }, context)).not.toHaveProperty('error');
  });

  it('has a change of its state in its history, as made by the import, without a reason', () => {
    const by = { changedBy: IMPORTER, reason: null, changedAt: now.toISOString() };
    expect(merge(importedAs(), { state_code: 'LIQ' })?.stateChange).toMatchObject({ from: 'PEN', to: 'LIQ', ...by });
  });
});
