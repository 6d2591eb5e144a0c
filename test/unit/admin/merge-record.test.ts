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
const declared = {
  declared_amount: '105',
  declared_notes: 'tolls',
  provider_invoice_number: 'F-1',
  provider_invoice_date: '2026-07-01',
};
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
    expect(changeOf(none, {})).toEqual({
      before: null,
      after: expect.objectContaining({
        systemAmount: decimal('100.5'),
        state: 'PEN',
        declaration: null,
        concepts: [],
        version: 1,
      }),
      revisions: [],
    });
  });

  it.each([
    [
      'its own date',
      { invoice_date: '2026-05-01T10:00:00-03:00', service_call_date: '2026-04-01' },
      '2026-05-01T13:00:00.000Z',
    ],
    ['else the date of the service call', { service_call_date: '2026-04-01' }, '2026-04-01T00:00:00.000Z'],
    ['else the time of the import', {}, now.toISOString()],
  ])('is sorted by %s', (_, dates, sortDate) => {
    expect(importedAs(dates).sortDate).toBe(sortDate);
  });

  it('takes a declaration over as revision 1, with the outcome under the tolerance of today', () => {
    const change = changeOf(none, { ...declared, declaration_id: '777', state_code: 'REC' });
    const declaration = {
      declarationId: '777',
      revision: 1,
      amount: decimal(105),
      notes: 'tolls',
      taxPct: null,
    };
    const providerInvoice = { number: 'F-1', date: '2026-07-01' };
    expect(change?.after).toMatchObject({ state: 'REC', declaration, providerInvoice });
    expect(change?.revisions).toEqual([
      expect.objectContaining({
        ...declaration,
        providerInvoice,
        invoiceId: '1',
        systemAmount: decimal('100.5'),
        outcome: expect.objectContaining({ withinTolerance: true, difference: decimal('4.5') }),
        declaredBy: IMPORTER,
        declaredAt: now.toISOString(),
        requestId: 'run-1',
      }),
    ]);
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
    expect(importedAs({ declared_amount: '0' }).declaration).toMatchObject({
      declarationId: '9001',
      amount: decimal(0),
    });
  });
});

describe('an invoice that is there already', () => {
  const concepts = [
    { concept_id: '1', description: 'x', unit_amount: '-0.00', quantity: '1.0', tax_pct: '21', total: '1e1' },
  ];

  it('is left alone by the same record', () => {
    expect(merge(importedAs({ ...declared, concepts }), { ...declared, concepts })).toBeNull();
    expect(merge(importedAs(), { system_amount: '100.5000', state_code: 'PEN', city: null })).toBeNull();
    const stored = { invoice: importedAs({ ...declared, concepts }), declaredHere: false };
    expect(mergeRecord(stored, ids, context)).toBeNull();
  });

  it.each([{}, { state_code: null }])('keeps its state when the record names none: %j', (state) => {
    const before = importedAs({ state_code: 'LIQ' });
    expect(merge(before, { city: 'Salta', ...state })?.after.state).toBe('LIQ');
  });

  it('has the noise of binary fractions rounded away from declared amounts and concepts', () => {
    const noisy = {
      ...declared,
      declared_amount: '1128.1100000000001',
      concepts: concepts.map((line) => ({ ...line, total: '3.3000000000000003' })),
    };
    const invoice = importedAs(noisy);
    expect(invoice.declaration?.amount).toEqual(decimal('1128.11'));
    expect(invoice.concepts[0]?.total).toEqual(decimal('3.3'));
    expect(merge(invoice, noisy)).toBeNull();
  });

  it('follows the record in everything else, as the next version; null clears', () => {
    const before = importedAs({ city: 'Salta', account_name: 'Norte', invoice_date: '2026-05-01', concepts });
    const state = { state_code: 'LIQ' } as const;
    const after = { ...state, system_amount: '99', invoice_date: '2026-05-02', city: null, concepts: null };
    expect(merge(before, after)).toEqual({
      before,
      after: {
        ...before,
        systemAmount: decimal(99),
        state: 'LIQ',
        city: null,
        invoiceDate: '2026-05-02',
        sortDate: '2026-05-02T00:00:00.000Z',
        concepts: [],
        version: 2,
      },
      revisions: [],
      stateChange: {
        invoiceId: '1',
        version: 2,
        from: 'PEN',
        to: 'LIQ',
        changedBy: IMPORTER,
        reason: null,
        changedAt: now.toISOString(),
      },
    });
  });

  it('has no change of state in its history when it is new, or when it keeps its state', () => {
    expect(changeOf(none, { state_code: 'LIQ' })?.stateChange).toBeUndefined();
    expect(merge(importedAs(), { city: 'Salta' })).toMatchObject({ stateChange: undefined });
  });

  it('keeps the date of its creation for as long as it has no other', () => {
    const before = { ...importedAs(), sortDate: '2026-01-05T10:00:00.000Z' };
    expect(merge(before, { city: 'Salta' })?.after.sortDate).toBe('2026-01-05T10:00:00.000Z');
    expect(merge(before, { invoice_date: '2026-05-01' })?.after.sortDate).toBe('2026-05-01T00:00:00.000Z');
  });

  it('is sorted as one without dates from the import on that clears them', () => {
    const before = importedAs({ invoice_date: '2026-05-01', service_call_date: '2026-04-01' });
    expect(merge(before, { invoice_date: null })?.after.sortDate).toBe('2026-04-01T00:00:00.000Z');
    expect(merge(before, { invoice_date: null, service_call_date: null })?.after.sortDate).toBe(now.toISOString());
  });

  it('keeps what its supplier declared here, and the state that this led to', () => {
    const before: Invoice = { ...importedAs(), declaration: aDeclaration({ amount: decimal(101) }), state: 'APR' };
    expect(merge(before, { ...declared, state_code: 'ENV' }, true)).toBeNull();
    const change = merge(before, { ...declared, state_code: 'ENV', system_amount: '90' }, true);
    expect(change).toMatchObject({ after: { state: 'APR', systemAmount: decimal(90) }, revisions: [] });
    expect(change?.after.declaration).toEqual(before.declaration);
  });

  it('follows the state of the record, and appends what was declared elsewhere since, when its declaration came by import', () => {
    const before = importedAs({ ...declared, declaration_id: '777', state_code: 'REV' });
    expect(merge(before, { ...declared, state_code: 'LIQ' })).toMatchObject({ after: { state: 'LIQ' }, revisions: [] });
    const change = merge(before, { ...declared, declared_amount: '110', declaration_id: '888', state_code: 'REV' });
    const declaration = { declarationId: '777', revision: 2, amount: decimal(110) };
    expect(change).toMatchObject({ after: { declaration }, revisions: [declaration] });
  });

  it('keeps an imported declaration, which cannot be taken back, but not its notes', () => {
    const before = importedAs(declared);
    expect(merge(before, {})).toBeNull();
    expect(merge(before, { declared_amount: null, declaration_id: null })).toBeNull();
    const change = merge(before, { declared_amount: null, declared_notes: null });
    const declaration = { declarationId: '9001', revision: 2, amount: decimal(105), notes: null };
    expect(change).toMatchObject({ after: { declaration }, revisions: [declaration] });
  });
});

describe("the supplier's own invoice", () => {
  const numbered = { provider_invoice_number: 'F-1', provider_invoice_date: '2026-07-01' };
  const cleared = { provider_invoice_number: null, provider_invoice_date: null };
  const f1 = { number: 'F-1', date: '2026-07-01' };
  const f2 = { number: 'F-2', date: '2026-07-01' };
  const renumbered = { provider_invoice_number: 'F-2' };
  const amount = { declared_amount: '105' };
  const unknown = { number: null, date: null };

  it.each<[string, Partial<InvoiceRecord>, Partial<InvoiceRecord>, object, (string | null)[]]>([
    ['an undeclared invoice takes it over', {}, numbered, f1, []],
    ['an undeclared invoice keeps what its record does not have', numbered, {}, f1, []],
    ['an undeclared invoice loses it to null', numbered, cleared, unknown, []],
    ['an undeclared invoice takes another number over', numbered, renumbered, f2, []],
    ['a declaration that is imported has it', numbered, { ...amount, ...numbered }, f1, ['F-1']],
    ['a declaration that is imported without it has that of the invoice', numbered, amount, f1, ['F-1']],
    ['an imported declaration keeps it when the record no longer has either', { ...amount, ...numbered }, {}, f1, []],
    ['an imported declaration loses it to null', { ...amount, ...numbered }, cleared, unknown, [null]],
    ['an imported declaration is renumbered', { ...amount, ...numbered }, { ...amount, ...renumbered }, f2, ['F-2']],
    [
      'an imported declaration is renumbered by a record without an amount',
      { ...amount, ...numbered },
      renumbered,
      f2,
      ['F-2'],
    ],
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
    const kept = declare(importedAs(numbered));
    const replaced = declare(kept, 'F-9');
    expect(kept.providerInvoice).toEqual(f1);
    expect(replaced.providerInvoice).toEqual({ number: 'F-9', date: '2026-07-01' });
    for (const invoice of [kept, replaced]) {
      expect(merge(invoice, numbered, true)).toBeNull();
      expect(merge(invoice, { ...amount, ...renumbered }, true)).toBeNull();
      expect(merge(invoice, { ...renumbered, city: 'Salta' }, true)?.after).toMatchObject({
        providerInvoice: invoice.providerInvoice,
        declaration: invoice.declaration,
      });
    }
  });
});
