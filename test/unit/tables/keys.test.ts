import { expect, it } from 'vitest';
import { buildPositionBounds } from '../../../lib/domain/list-entry.ts';
import { buildListPosition, directoryKeys, WITHDRAWN_BOUNDS } from '../../../lib/tables/keys.ts';
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
