import { expect, it } from 'vitest';
import { LIMITS } from '../../../lib/domain/limits.ts';
import { buildPositionBounds } from '../../../lib/domain/list-entry.ts';
import {
  buildChangeIndexKey,
  buildListPosition,
  directoryKeys,
  isStorableId,
  WITHDRAWN_BOUNDS,
} from '../../../lib/tables/keys.ts';
import { buildInvoice } from '../../support/data/seed-invoices.ts';

it('the item of a tenant, which every request reads, is not in the partition of its other items', () => {
  const { pk } = directoryKeys.tenant('a.example');
  const others = [directoryKeys.company('a.example', '1'), directoryKeys.user('a.example', '2')];
  expect(others.map((other) => other.pk)).toEqual(['TENANT#a.example', 'TENANT#a.example']);
  expect(pk).toBe('TENANT#a.example#TENANT');
});

it('the list position of a withdrawn invoice is in the range of withdrawn invoices, and in no range of dates', () => {
  const allDates = { startMs: Date.parse('0000-01-01'), endMs: Date.parse('9999-12-31T23:59:59.999Z') };
  for (const isWithdrawn of [false, true]) {
    const position = buildListPosition(buildInvoice({ isWithdrawn }));
    const isWithin = ({ first, last }: typeof WITHDRAWN_BOUNDS) => first <= position && position <= last;
    expect([isWithin(buildPositionBounds(allDates)), isWithin(WITHDRAWN_BOUNDS)]).toEqual([!isWithdrawn, isWithdrawn]);
  }
});

it('isStorableId returns true for an id with the maximum number of digits, and false for a longer id', () => {
  const longestId = '9'.repeat(LIMITS.idDigits);
  expect([longestId, `${longestId}9`].map(isStorableId)).toEqual([true, false]);
});

it.each([
  ['9001', 1],
  ['9002', 2],
  ['9004', 0],
  // The last digits are exact, although a number cannot represent the whole id.
  ['99999999999999999903', 3],
])('the changes of the invoice %s are in partition %i of their day', (invoiceId, partition) => {
  const scope = { tenant: 'a.example', supplierId: '200' };
  const changedAt = '2026-08-31T10:30:00.000Z';
  expect(buildChangeIndexKey({ scope, invoiceId, changedAt, version: 3 })).toEqual({
    change_day: `a.example#2026-08-31#${partition}`,
    change_key: `${changedAt}#200#${invoiceId}#3`,
  });
});
