import { expect, it } from 'vitest';
import { decimal } from '../../../lib/domain/money.ts';
import { buildNextNotice, isSameNotice, NO_NOTICE, type Notice } from '../../../lib/domain/notice.ts';
import type { StateCode } from '../../../lib/domain/invoice-states.ts';

const full: Notice = {
  message: 'Paid in two parts',
  approvedAmount: decimal('900.5'),
  paidOn: '2026-09-03',
  paymentReference: 'T-1',
};
const approved = { ...NO_NOTICE, approvedAmount: full.approvedAmount };

it.each<[from: StateCode, to: StateCode, expected: Notice]>([
  ['LIQ', 'LIQ', full],
  ['LIQ', 'APR', approved],
  ['LIQ', 'AJU', approved],
  ['LIQ', 'REC', NO_NOTICE],
  ['LIQ', 'PEN', NO_NOTICE],
  ['LIQ', 'REV', NO_NOTICE],
  ['AJU', 'LIQ', { ...full, message: null }],
])(
  'from %s to %s, a notice keeps only what the new state can have, and no message of another state',
  (from, to, expected) => {
    expect(buildNextNotice({ state: from, notice: full }, to, {})).toEqual(expected);
  },
);

it('a changed property replaces the stored one, null clears it, and undefined keeps it', () => {
  const change = { message: 'Paid', approvedAmount: null, paidOn: undefined };
  const expected = { ...full, message: 'Paid', approvedAmount: null };
  expect(buildNextNotice({ state: 'LIQ', notice: full }, 'LIQ', change)).toEqual(expected);
});

it('isSameNotice compares all properties, and amounts by their values', () => {
  expect(isSameNotice(full, { ...full, approvedAmount: decimal('900.50') })).toBe(true);
  for (const property of Object.keys(full)) {
    expect(isSameNotice(full, { ...full, [property]: null })).toBe(false);
    expect(isSameNotice({ ...full, [property]: null }, full)).toBe(false);
  }
});
