import { describe, expect, it } from 'vitest';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import { counterUpdates } from '../../../lib/storage/day-counters.ts';
import { anInvoice } from '../../support/data/seed-invoices.ts';

const scope = { tenant: 't.example', supplierId: '1' };
const march = anInvoice({ invoiceDate: '2026-03-15T10:00:00Z', state: 'PEN' });
const earlier = { ...march, sortDate: '2026-03-15T08:00:00.000Z' };
const april = { ...march, sortDate: '2026-04-01T00:00:00.000Z' };

/** What the updates add to each counter, by the items' sort keys. */
function additions(...changes: [before: Invoice | null, after: Invoice][]) {
  const updates = counterUpdates(
    scope,
    changes.map(([before, after]) => ({ before, after })),
    5,
  );
  const added = updates.map(({ Key, ExpressionAttributeNames: names, ExpressionAttributeValues: values }) => [
    Key.sk,
    Object.fromEntries(Object.entries(names).map(([at, name]) => [name, values[at.replace('#c', ':d')]])),
  ]);
  return Object.fromEntries(added);
}

describe('the day counters of changed invoices', () => {
  it('count a new invoice, in the shard that was chosen, and the change', () => {
    expect(additions([null, march])).toEqual({ 'COUNT#2026-03#1': { '15PEN': 1, changes: 1 } });
  });

  it('move with an invoice, from month to month', () => {
    expect(additions([march, { ...april, state: 'APR' }])).toEqual({
      'COUNT#2026-03#1': { '15PEN': -1, changes: 1 },
      'COUNT#2026-04#1': { '01APR': 1, changes: 1 },
    });
  });

  it('are left alone by what leaves the invoice in its place', () => {
    expect(additions([march, { ...march, version: 2, city: 'Salta' }])).toEqual({});
  });

  it('tell of moves that they do not count: within a day, and those that cancel each other out', () => {
    const changed = { 'COUNT#2026-03#1': { changes: 1 } };
    expect(additions([march, earlier])).toEqual(changed);
    const approved = anInvoice({ ...march, state: 'APR' });
    expect(additions([march, { ...march, state: 'APR' }], [approved, { ...approved, state: 'PEN' }])).toEqual(changed);
  });
});
