import { describe, expect, it } from 'vitest';
import { changeTextFault, stateChangeOf } from '../../../lib/domain/invoice-state-change.ts';
import { anInvoice } from '../../support/data/seed-invoices.ts';

it.each([
  ['', 'must not be blank'],
  ['x', null],
  ['x'.repeat(500), null],
  ['x'.repeat(501), 'must have at most 500 characters'],
])('who changes a state, or why, is judged as a text: %s', (text, fault) => {
  expect(changeTextFault(text)).toBe(fault);
});

describe('the state history of an invoice', () => {
  const before = anInvoice({ state: 'PEN' });
  const context = { changedBy: 'ana', reason: 'paid', now: new Date('2026-07-01T00:00:00.000Z') };

  it('gains an entry when the state changes', () => {
    const change = { invoiceId: before.invoiceId, version: 2, from: 'PEN', to: 'LIQ' };
    const by = { changedBy: 'ana', reason: 'paid', changedAt: '2026-07-01T00:00:00.000Z' };
    expect(stateChangeOf(before, { ...before, state: 'LIQ', version: 2 }, context)).toEqual({ ...change, ...by });
  });

  it('gains none when it stays the same, nor when the invoice is new', () => {
    expect(stateChangeOf(before, { ...before, city: 'Salta' }, context)).toBeUndefined();
    expect(stateChangeOf(null, before, context)).toBeUndefined();
  });
});
