import { describe, expect, it } from 'vitest';
import { describeStateChange, findChangeTextError, getChangeKind } from '../../../lib/domain/invoice-change.ts';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { NO_NOTICE } from '../../../lib/domain/notice.ts';
import { buildInvoice } from '../../support/data/seed-invoices.ts';
import { buildRevision } from '../../support/data/stream-records.ts';

it.each([
  ['', { en: 'must not be blank', es: 'no debe estar en blanco' }],
  ['x', null],
  ['x'.repeat(500), null],
  ['x'.repeat(501), { en: 'must have at most 500 characters', es: 'debe tener como máximo 500 caracteres' }],
])('findChangeTextError checks the author or the reason of a change: "%s"', (text, error) => {
  expect(findChangeTextError(text)).toEqual(error);
});

describe('the kind of a change', () => {
  const invoice = buildInvoice({ state: 'PEN', systemAmount: decimal(1000) });
  const states = { from: 'PEN', to: 'PEN', fromSystemAmount: null, toSystemAmount: null };
  const amounts = { fromSystemAmount: decimal(1000), toSystemAmount: decimal('1000.5') };

  it.each<[string, Partial<Invoice>, kind: string, stateChange: object | null]>([
    ['only other fields', { city: 'Salta', version: 2 }, 'fields', null],
    ['the digits of an equal amount', { systemAmount: decimal('1000.00') }, 'fields', null],
    ['the system amount', { systemAmount: decimal('1000.5') }, 'amount', { ...states, ...amounts }],
    ['the state', { state: 'LIQ' }, 'state', { ...states, to: 'LIQ' }],
    [
      'the state and the system amount',
      { state: 'LIQ', systemAmount: decimal('1000.5') },
      'state',
      { ...states, to: 'LIQ', ...amounts },
    ],
    ['the notice', { notice: { ...NO_NOTICE, message: 'No tolls' } }, 'notice', states],
    ['the withdrawal', { isWithdrawn: true }, 'withdrawal', states],
  ])('a change of %s (%o) has the kind %s', (_, changes, kind, stateChange) => {
    const changed = { ...invoice, ...changes };
    expect(getChangeKind(invoice, changed)).toBe(kind);
    expect(describeStateChange(invoice, changed)).toEqual(stateChange);
    expect(getChangeKind(invoice, changed, buildRevision())).toBe('declaration');
  });

  it('a change that ends the withdrawal has the kind restore', () => {
    const withdrawn = { ...invoice, isWithdrawn: true };
    expect(getChangeKind(withdrawn, invoice)).toBe('restore');
    expect(describeStateChange(withdrawn, invoice)).toEqual(states);
  });
});
