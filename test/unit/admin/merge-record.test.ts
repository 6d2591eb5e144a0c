import { describe, expect, it } from 'vitest';
import { mergeRecord, type StoredInvoice } from '../../../lib/admin/import/merge-record.ts';
import type { InvoiceRecord } from '../../../lib/admin/import/record-schema.ts';
import { declareAmount, IMPORTER } from '../../../lib/domain/declaration.ts';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import { decimal } from '../../../lib/domain/money.ts';
import type { Tolerance } from '../../../lib/domain/tolerance.ts';
import { aDeclaration } from '../../support/data/seed-invoices.ts';

const tolerance: Tolerance = { mode: 'PCT', pct: decimal(5), abs: null, autoApprove: true, source: 'global' };
const now = new Date('2026-07-02T08:00:00.000Z');
const context = { tolerance, now, requestId: 'run-1', newDeclarationId: () => '9001' };
const ids = { invoice_id: '1', supplier_id: '10' };
const record: InvoiceRecord = { ...ids, service_id: '5', system_amount: '100.50' };
const provider = { provider_invoice_number: 'F-1', provider_invoice_date: '2026-07-01' };
const declared = { declared_amount: '105', declared_notes: 'tolls', ...provider };
const none: StoredInvoice = { invoice: null, declaredHere: false };

/** The change that a record makes, which must not be at fault. */
function changeOf(stored: StoredInvoice, overrides: Partial<InvoiceRecord>) {
  const change = mergeRecord(stored, { ...record, ...overrides }, context);
  if (change && 'fault' in change) throw new Error(change.fault);
  return change;
}

/** The invoice that a record leaves behind, as the next import finds it. */
function importedAs(overrides: Partial<InvoiceRecord> = {}): Invoice {
  const change = changeOf(none, overrides);
  if (!change) throw new Error('Nothing was imported.');
  return change.after;
}

function merge(invoice: Invoice, overrides: Partial<InvoiceRecord>, declaredHere = false) {
  return changeOf({ invoice, declaredHere }, overrides);
}

describe('a new invoice', () => {
  it('is pending, undeclared and of version 1 unless the record says more', () => {
    const after = { systemAmount: decimal('100.5'), state: 'PEN', declaration: null, concepts: [], version: 1 };
    expect(changeOf(none, {})).toEqual({ before: null, after: expect.objectContaining(after), revisions: [] });
  });

  const callDate = { service_call_date: '2026-04-01' };
  it.each([
    ['its own date', { ...callDate, invoice_date: '2026-05-01T10:00:00-03:00' }, '2026-05-01T13:00:00.000Z'],
    ['else the date of the service call', callDate, '2026-04-01T00:00:00.000Z'],
    ['else the time of the import', {}, now.toISOString()],
  ])('is sorted by %s', (_, dates, sortDate) => {
    expect(importedAs(dates).sortDate).toBe(sortDate);
  });

  it('takes a declaration over as revision 1, with the outcome under the tolerance of today', () => {
    const change = changeOf(none, { ...declared, declaration_id: '777', state_code: 'REC' });
    const declaration = { declarationId: '777', revision: 1, amount: decimal(105), notes: 'tolls', taxPct: null };
    const providerInvoice = { number: 'F-1', date: '2026-07-01' };
    expect(change?.after).toMatchObject({ state: 'REC', declaration, providerInvoice });
    const outcome = expect.objectContaining({ withinTolerance: true, difference: decimal('4.5') });
    const author = { declaredBy: IMPORTER, declaredAt: now.toISOString(), requestId: 'run-1' };
    const ofInvoice = { invoiceId: '1', systemAmount: decimal('100.5'), providerInvoice };
    const revision = expect.objectContaining({ ...declaration, ...ofInvoice, outcome, ...author });
    expect(change?.revisions).toEqual([revision]);
  });

  it.each([
    [{ system_amount: '1' }, 'record: a new invoice needs service_id'],
    [{ service_id: '5' }, 'record: a new invoice needs system_amount'],
    [{ city: 'Salta' }, 'record: a new invoice needs service_id and system_amount'],
  ])('is not made of a record that has only %j beside its ids', (fields, fault) => {
    expect(mergeRecord(none, { ...ids, ...fields }, context)).toEqual({ fault });
  });

  it('takes no declaration over without an amount, and gives one without an id a new one', () => {
    expect(importedAs({ declaration_id: '777', declared_notes: 'tolls' }).declaration).toBeNull();
    const { declaration } = importedAs({ declared_amount: '0' });
    expect(declaration).toMatchObject({ declarationId: '9001', amount: decimal(0) });
  });
});

describe('an invoice that is there already', () => {
  const line = {
    concept_id: '1',
    description: 'x',
    unit_amount: '-0.00',
    quantity: '1.0',
    tax_pct: '21',
    total: '1e1',
  };
  const concepts = [line];
  const dates = { invoice_date: '2026-05-01', service_call_date: '2026-04-01' };
  const noisy = {
    ...{ ...declared, declared_amount: '1128.1100000000001' },
    concepts: [{ ...line, total: '3.3000000000000003' }],
  };

  it.each<[string, Partial<InvoiceRecord>, Partial<InvoiceRecord>]>([
    ['the same record', { ...declared, concepts }, { ...declared, concepts }],
    ['the same amount written otherwise', {}, { system_amount: '100.5000', state_code: 'PEN', city: null }],
    ['the same noise of binary fractions', noisy, noisy],
    ['a record without its declaration', declared, {}],
    ['a record that clears its declaration', declared, { declared_amount: null, declaration_id: null }],
  ])('is left alone by %s', (_, first, second) => {
    const invoice = importedAs(first);
    expect(merge(invoice, second)).toBeNull();
    expect(mergeRecord({ invoice, declaredHere: false }, ids, context)).toBeNull();
  });

  it.each<[string, Partial<InvoiceRecord>, Partial<InvoiceRecord>, Partial<Invoice>]>([
    ['keeps its state when the record names none', { state_code: 'LIQ' }, {}, { state: 'LIQ' }],
    ['keeps its state when the record has null', { state_code: 'LIQ' }, { state_code: null }, { state: 'LIQ' }],
    [
      'is sorted by the call once its date is cleared',
      dates,
      { invoice_date: null },
      { sortDate: '2026-04-01T00:00:00.000Z' },
    ],
    [
      'is sorted by the import that clears its dates',
      dates,
      { invoice_date: null, service_call_date: null },
      { sortDate: now.toISOString() },
    ],
  ])('%s, without a change of state in its history', (_, first, second, after) => {
    expect(merge(importedAs(first), { city: 'Salta', ...second })).toMatchObject({ after, stateChange: undefined });
  });

  it('has the noise of binary fractions rounded away from declared amounts and concepts', () => {
    const { declaration, concepts: lines } = importedAs(noisy);
    expect([declaration?.amount, lines[0]?.total]).toEqual([decimal('1128.11'), decimal('3.3')]);
  });

  it('follows the record in everything else, as the next version; null clears', () => {
    const before = importedAs({ city: 'Salta', account_name: 'Norte', invoice_date: '2026-05-01', concepts });
    const cleared = { city: null, concepts: null };
    const after = { state_code: 'LIQ', system_amount: '99', invoice_date: '2026-05-02', ...cleared } as const;
    const by = { changedBy: IMPORTER, reason: null, changedAt: now.toISOString() };
    expect(merge(before, after)).toEqual({
      before,
      after: {
        ...{ ...before, systemAmount: decimal(99), state: 'LIQ', city: null, concepts: [], version: 2 },
        ...{ invoiceDate: '2026-05-02', sortDate: '2026-05-02T00:00:00.000Z' },
      },
      revisions: [],
      stateChange: { invoiceId: '1', version: 2, from: 'PEN', to: 'LIQ', ...by },
    });
    expect(changeOf(none, { state_code: 'LIQ' })?.stateChange).toBeUndefined();
  });

  it('keeps the date of its creation for as long as it has no other', () => {
    const before = { ...importedAs(), sortDate: '2026-01-05T10:00:00.000Z' };
    expect(merge(before, { city: 'Salta' })?.after.sortDate).toBe('2026-01-05T10:00:00.000Z');
    expect(merge(before, { invoice_date: '2026-05-01' })?.after.sortDate).toBe('2026-05-01T00:00:00.000Z');
  });

  it('keeps what its supplier declared here, and the state that this led to', () => {
    const declaration = aDeclaration({ amount: decimal(101) });
    const before: Invoice = { ...importedAs(), declaration, state: 'APR', heldForReview: true };
    expect(merge(before, { ...declared, state_code: 'ENV' }, true)).toBeNull();
    const change = merge(before, { ...declared, state_code: 'ENV', system_amount: '90' }, true);
    const after = { state: 'APR', systemAmount: decimal(90), declaration, heldForReview: true };
    expect(change).toMatchObject({ after, revisions: [] });
  });

  it('follows the state of the record, and appends what was declared elsewhere since, when its declaration came by import', () => {
    const before = importedAs({ ...declared, declaration_id: '777', state_code: 'REV' });
    expect(merge(before, { ...declared, state_code: 'LIQ' })).toMatchObject({ after: { state: 'LIQ' }, revisions: [] });
    const change = merge(before, { ...declared, declared_amount: '110', declaration_id: '888', state_code: 'REV' });
    const declaration = { declarationId: '777', revision: 2, amount: decimal(110) };
    expect(change).toMatchObject({ after: { declaration }, revisions: [declaration] });
  });

  it('loses the notes of an imported declaration to null, which cannot be taken back itself', () => {
    const change = merge(importedAs(declared), { declared_amount: null, declared_notes: null });
    const declaration = { declarationId: '9001', revision: 2, amount: decimal(105), notes: null };
    expect(change).toMatchObject({ after: { declaration }, revisions: [declaration] });
  });
});

describe("the supplier's own invoice", () => {
  const cleared = { provider_invoice_number: null, provider_invoice_date: null };
  const f1 = { number: 'F-1', date: '2026-07-01' };
  const f2 = { ...f1, number: 'F-2' };
  const renumbered = { provider_invoice_number: 'F-2' };
  const amount = { declared_amount: '105' };
  const numbered = { ...amount, ...provider };
  const unknown = { number: null, date: null };

  it.each<[string, Partial<InvoiceRecord>, Partial<InvoiceRecord>, object, (string | null)[]]>([
    ['an undeclared invoice takes it over', {}, provider, f1, []],
    ['an undeclared invoice keeps what its record does not have', provider, {}, f1, []],
    ['an undeclared invoice loses it to null', provider, cleared, unknown, []],
    ['an undeclared invoice takes another number over', provider, renumbered, f2, []],
    ['a declaration that is imported has it', provider, numbered, f1, ['F-1']],
    ['a declaration that is imported without it has that of the invoice', provider, amount, f1, ['F-1']],
    ['an imported declaration keeps it when the record no longer has either', numbered, {}, f1, []],
    ['an imported declaration loses it to null', numbered, cleared, unknown, [null]],
    ['an imported declaration is renumbered', numbered, { ...amount, ...renumbered }, f2, ['F-2']],
    ['an imported declaration is renumbered without an amount', numbered, renumbered, f2, ['F-2']],
  ])('%s, and the second time nothing changes', (_, first, second, expected, numbersInHistory) => {
    const before = importedAs(first);
    const change = merge(before, second);
    expect((change?.after ?? before).providerInvoice).toEqual(expected);
    expect((change?.revisions ?? []).map(({ providerInvoice }) => providerInvoice.number)).toEqual(numbersInHistory);
    expect(merge(change?.after ?? before, second)).toBeNull();
  });

  it('is what the supplier declared here, or left as it was, whatever is imported later', () => {
    const declare = (invoice: Invoice, invoiceNumber?: string) => {
      const author = { ...context, userId: '7' };
      const result = declareAmount(invoice, { invoiceId: '1', amount: 100, invoiceNumber }, author);
      expect(result.revision?.providerInvoice).toEqual(result.invoice.providerInvoice);
      return result.invoice;
    };
    const kept = declare(importedAs(provider));
    const replaced = declare(kept, 'F-9');
    expect([kept, replaced].map(({ providerInvoice }) => providerInvoice)).toEqual([f1, { ...f1, number: 'F-9' }]);
    for (const invoice of [kept, replaced]) {
      expect(merge(invoice, provider, true)).toBeNull();
      expect(merge(invoice, { ...amount, ...renumbered }, true)).toBeNull();
      const { providerInvoice, declaration } = invoice;
      const change = merge(invoice, { ...renumbered, city: 'Salta' }, true);
      expect(change?.after).toMatchObject({ providerInvoice, declaration });
    }
  });
});
