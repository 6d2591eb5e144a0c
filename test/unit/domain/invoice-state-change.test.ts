import { describe, expect, it } from 'vitest';
import { findChangeTextError, buildStateChange } from '../../../lib/domain/invoice-state-change.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { buildDeclaration, buildInvoice } from '../../support/data/seed-invoices.ts';

it.each([
  ['', 'must not be blank'],
  ['x', undefined],
  ['x'.repeat(500), undefined],
  ['x'.repeat(501), 'must have at most 500 characters'],
])('changeTextFault checks the user or the reason of a state change: "%s"', (text, error) => {
  expect(findChangeTextError(text)?.en).toBe(error);
});

describe('stateChangeOf', () => {
  const before = buildInvoice({ state: 'PEN' });
  const context = { changedBy: 'ana', reason: 'paid', now: new Date('2026-07-01T00:00:00.000Z') };

  it('returns an entry if the state of an invoice changes', () => {
    const change = { invoiceId: before.invoiceId, version: 2, kind: 'changed', from: 'PEN', to: 'LIQ' };
    const amounts = { fromSystemAmount: null, toSystemAmount: null };
    const by = { ...amounts, changedBy: 'ana', reason: 'paid', changedAt: '2026-07-01T00:00:00.000Z' };
    expect(buildStateChange(before, { ...before, state: 'LIQ', version: 2 }, context)).toEqual({ ...change, ...by });
  });

  it.each([
    [true, 'withdrawn'],
    [false, 'restored'],
  ])('returns an entry if the invoice is withdrawn or restored (%s)', (isWithdrawn, kind) => {
    const change = buildStateChange({ ...before, isWithdrawn: !isWithdrawn }, { ...before, isWithdrawn }, context);
    expect(change).toMatchObject({ kind, from: 'PEN', to: 'PEN', fromSystemAmount: null });
  });

  it('returns no entry if the state does not change or the invoice is new', () => {
    expect(buildStateChange(before, { ...before, city: 'Salta' }, context)).toBeUndefined();
    expect(buildStateChange(null, before, context)).toBeUndefined();
  });

  it.each([
    ['an approved invoice', { state: 'APR' }, true],
    ['a settled invoice', { state: 'LIQ' }, true],
    ['a declared invoice', { state: 'REV', declaration: buildDeclaration() }, true],
    ['an invoice without a declaration', { state: 'PEN' }, false],
    ['an invoice that the ERP has sent', { state: 'ENV' }, false],
  ] as const)('returns an entry for a change of the system amount of %s: %j, %s', (_, overrides, isRecorded) => {
    const invoice = { ...before, ...overrides };
    const change = buildStateChange(invoice, { ...invoice, systemAmount: decimal('1000.5') }, context);
    const amounts = { fromSystemAmount: decimal(1000), toSystemAmount: decimal('1000.5') };
    expect(change).toEqual(
      isRecorded ? expect.objectContaining({ from: invoice.state, to: invoice.state, ...amounts }) : undefined,
    );
  });
});
