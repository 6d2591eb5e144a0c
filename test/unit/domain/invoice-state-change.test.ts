import { describe, expect, it } from 'vitest';
import { findChangeTextFault, buildStateChange } from '../../../lib/domain/invoice-state-change.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { aDeclaration, anInvoice } from '../../support/data/seed-invoices.ts';

it.each([
  ['', 'must not be blank'],
  ['x', null],
  ['x'.repeat(500), null],
  ['x'.repeat(501), 'must have at most 500 characters'],
])('who changes a state, or why, is judged as a text: %s', (text, fault) => {
  expect(findChangeTextFault(text)).toBe(fault);
});

describe('the state history of an invoice', () => {
  const before = anInvoice({ state: 'PEN' });
  const context = { changedBy: 'ana', reason: 'paid', now: new Date('2026-07-01T00:00:00.000Z') };

  it('gains an entry when the state changes', () => {
    const change = { invoiceId: before.invoiceId, version: 2, from: 'PEN', to: 'LIQ' };
    const amounts = { fromSystemAmount: null, toSystemAmount: null };
    const by = { ...amounts, changedBy: 'ana', reason: 'paid', changedAt: '2026-07-01T00:00:00.000Z' };
    expect(buildStateChange(before, { ...before, state: 'LIQ', version: 2 }, context)).toEqual({ ...change, ...by });
  });

  it('gains none when it stays the same, nor when the invoice is new', () => {
    expect(buildStateChange(before, { ...before, city: 'Salta' }, context)).toBeUndefined();
    expect(buildStateChange(null, before, context)).toBeUndefined();
  });

  it.each([
    ['an approved invoice', { state: 'APR' }, true],
    ['a settled invoice', { state: 'LIQ' }, true],
    ['a declared invoice', { state: 'REV', declaration: aDeclaration() }, true],
    ['an invoice without a declaration', { state: 'PEN' }, false],
    ['an invoice that the ERP has sent', { state: 'ENV' }, false],
  ] as const)('gains an entry when the system amount of %s changes: %j, %s', (_, overrides, isRecorded) => {
    const invoice = { ...before, ...overrides };
    const change = buildStateChange(invoice, { ...invoice, systemAmount: decimal('1000.5') }, context);
    const amounts = { fromSystemAmount: decimal(1000), toSystemAmount: decimal('1000.5') };
    expect(change).toEqual(
      isRecorded ? expect.objectContaining({ from: invoice.state, to: invoice.state, ...amounts }) : undefined,
    );
  });
});
