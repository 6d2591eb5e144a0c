import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { isStateIgnored, mergeRecord } from '../../infra/ops/import/merge-record.ts';
import { IMPORT_FIELDS, NOTICE_PROPERTIES } from '../../infra/ops/import/record-schema.ts';
import { toInvoiceDetail } from '../../lib/contracts/to-response.ts';
import type { Invoice } from '../../lib/domain/invoice.ts';
import { describeStateChange } from '../../lib/domain/invoice-change.ts';
import { STATE_CODES } from '../../lib/domain/invoice-states.ts';
import { decimal } from '../../lib/domain/money.ts';
import { evaluateTolerance, type Tolerance } from '../../lib/domain/tolerance.ts';
import { buildDeclaration } from '../support/data/seed-invoices.ts';

const tolerance: Tolerance = { mode: 'PCT', pct: decimal(5), abs: null, autoApprove: true, source: 'global' };
const now = new Date('2026-07-02T08:00:00.000Z');
const context = { tolerance, now, requestId: 'run-1', newDeclarationId: () => 'new' };
const forceAuthor = { changedBy: 'carol', reason: 'Corrected' };
const ids = { invoice_id: '1', supplier_id: '10' };

// Each field has few values, so that a record often contains the stored value.
const texts = fc.constantFrom(null, '', 'Salta', 'Córdoba');
const dates = fc.constantFrom(null, '2026-05-01', '2026-05-01T22:30:00-03:00', '2026-06-30');
const amounts = fc.constantFrom('0', '100', '100.00', '105.5');
const states = fc.constantFrom(...STATE_CODES);
const concept = { description: 'x', unit_amount: '1', quantity: '1', tax_pct: '21', total: '1.21' };
const concepts = fc.constantFrom('a', 'b').map((id) => ({ concept_id: id, ...concept }));

const records = fc.record({
  invoice_date: dates,
  service_id: fc.constantFrom('5', '6'),
  service_number: texts,
  service_call_date: dates,
  account_name: texts,
  city: texts,
  system_amount: amounts,
  declaration_id: fc.constantFrom(null, '777', '888'),
  declared_amount: fc.option(amounts),
  declared_notes: texts,
  provider_invoice_number: texts,
  provider_invoice_date: dates,
  state_code: fc.option(states),
  attachment_url: fc.constantFrom(null, 'https://files.example/a.pdf'),
  attachment_filename: texts,
  concepts: fc.option(fc.array(concepts, { maxLength: 2 })),
});
type Fields = Partial<Record<string, unknown>>;
// The fields of a notice depend on the state. unit/ops/merge-record.test.ts tests these fields.
const fields = IMPORT_FIELDS.filter((field) => !(field in ids) && !(field in NOTICE_PROPERTIES));

/** Generates imported invoices, some of which the supplier has declared in this service afterwards. */
const stored = fc.tuple(records, fc.boolean(), amounts).map(([record, declaredBySupplier, amount]) => {
  const first = mergeRecord(null, { ...ids, ...record }, context);
  if (!first || 'error' in first) throw new Error('Nothing was imported.');
  const imported: Invoice = { ...first.after, version: 3, sortDate: findSortDate(record, '2026-01-05T10:00:00.000Z') };
  if (!declaredBySupplier) return { invoice: imported, declaredBySupplier };
  const declaration = buildDeclaration({ amount: decimal(amount), notes: 'Peaje', taxPct: decimal(21), revision: 2 });
  const declaredOutcome = evaluateTolerance(declaration.amount, imported.systemAmount, tolerance);
  return { invoice: { ...imported, declaration, declaredOutcome, requiresManualReview: true }, declaredBySupplier };
});

const DATES = {
  '2026-05-01': '2026-05-01T00:00:00.000Z',
  '2026-05-01T22:30:00-03:00': '2026-05-02T01:30:00.000Z',
  '2026-06-30': '2026-06-30T00:00:00.000Z',
};
const findSortDate = (record: Fields, defaultDate: string) =>
  DATES[(record['invoice_date'] ?? record['service_call_date']) as keyof typeof DATES] ?? defaultDate;

const PROVIDER_FIELDS = ['provider_invoice_number', 'provider_invoice_date'];
const DECLARATION_FIELDS = ['declaration_id', 'declared_amount', 'declared_notes', ...PROVIDER_FIELDS];

function toFields(invoice: Invoice): Fields {
  const detail: Fields = toInvoiceDetail(invoice, tolerance);
  return Object.fromEntries(fields.map((field) => [field, detail[field]]));
}

/** Converts the value of a field in a record to the value in a response. */
function toResponseValue(field: string, value: unknown): unknown {
  if (field === 'concepts') return ((value ?? []) as object[]).map(toResponseConcept);
  return field.endsWith('_amount') && value !== null ? Number(value) : value;
}

const isText = (name: string) => name === 'concept_id' || name === 'description';
const toResponseConcept = (recorded: object) =>
  Object.fromEntries(Object.entries(recorded).map(([name, value]) => [name, isText(name) ? value : Number(value)]));

/** Returns the fields that an invoice must have after some fields of a record were imported. */
function computeExpected(before: Fields, sentFields: Fields, declaredBySupplier: boolean): Fields {
  const after: Fields = { ...before };
  for (const [field, value] of Object.entries(sentFields)) after[field] = toResponseValue(field, value);
  if (declaredBySupplier) for (const field of DECLARATION_FIELDS) after[field] = before[field];
  if (declaredBySupplier || after['state_code'] === null) after['state_code'] = before['state_code'];
  after['declared_amount'] ??= before['declared_amount'];
  if (before['declared_amount'] !== null) after['declaration_id'] = before['declaration_id'];
  else if (after['declared_amount'] === null) [after['declaration_id'], after['declared_notes']] = [null, null];
  else after['declaration_id'] ??= 'new';
  return after;
}

it('an import changes only the fields of its record and computed fields, and protected fields only with force', () => {
  const cases = { current: stored, record: records, names: fc.subarray(fields) };
  const property = fc.property(fc.record(cases), ({ current, record, names }) => {
    const { invoice, declaredBySupplier } = current;
    const sentFields: Fields = Object.fromEntries(names.map((name) => [name, (record as Fields)[name]]));
    const before = toFields(invoice);
    const expected = computeExpected(before, sentFields, declaredBySupplier);
    const isFixed = before['declared_amount'] !== null || ['APR', 'LIQ'].includes(invoice.state);
    const changesFixedAmount = isFixed && before['system_amount'] !== expected['system_amount'];
    const isChanged = (field: string) => before[field] !== expected[field];
    const changesSettled = invoice.state === 'LIQ' && ['declared_amount', 'state_code'].some(isChanged);
    const undoesReview = ['REC', 'AJU'].includes(invoice.state) && expected['state_code'] === 'PEN';
    const isProtected = changesFixedAmount || changesSettled || undoesReview;
    const changeWithoutForce = mergeRecord(invoice, { ...ids, ...sentFields }, context);
    expect(changeWithoutForce !== null && 'error' in changeWithoutForce).toBe(isProtected);
    const change = mergeRecord(invoice, { ...ids, ...sentFields }, { ...context, forceAuthor });
    if (change && 'error' in change) throw new Error(change.error);
    if (!isProtected) expect(change).toEqual(changeWithoutForce);
    const hadDates = before['invoice_date'] !== null || before['service_call_date'] !== null;
    const defaultSortDate = hadDates ? now.toISOString() : invoice.sortDate;
    const after = change?.after ?? invoice;
    expect(toFields(after)).toEqual(expected);
    const [sentState, storedState] = [sentFields['state_code'], before['state_code']];
    expect(isStateIgnored(invoice, { ...ids, ...sentFields })).toBe(
      declaredBySupplier && Boolean(sentState) && sentState !== storedState,
    );
    expect(after.sortDate).toBe(findSortDate(expected, defaultSortDate));
    const { declaredOutcome, requiresManualReview } = invoice;
    expect(after).toMatchObject({ declaredOutcome, requiresManualReview });

    const changed = fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(expected[field]));
    expect(change === null).toBe(changed.length === 0);
    expect(after.version).toBe(invoice.version + (change ? 1 : 0));
    const hasStateChange = changed.includes('state_code') || changed.includes('system_amount');
    expect(describeStateChange(invoice, after) !== null).toBe(hasStateChange);
    if (change) expect(change.author).toEqual(isProtected ? forceAuthor : { changedBy: 'import', reason: null });
    const hasRevision = after.declaration !== null && changed.some((field) => DECLARATION_FIELDS.includes(field));
    const revision = { ...after.declaration, providerInvoice: after.providerInvoice };
    if (hasRevision) expect(change?.revision).toMatchObject(revision);
    else expect(change?.revision).toBeUndefined();
    expect(after.declaration?.revision).toBe((invoice.declaration?.revision ?? 0) + (hasRevision ? 1 : 0) || undefined);
  });
  fc.assert(property, { numRuns: 1000 });
});
