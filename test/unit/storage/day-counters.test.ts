import { describe, expect, it } from 'vitest';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import { listEntryOf } from '../../../lib/domain/list-entry.ts';
import { subtractFingerprints, toSummand } from '../../../lib/runtime/fingerprints.ts';
import { counterUpdates, entryFingerprint, sumsOf } from '../../../lib/storage/items/day-counters.ts';
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
    7,
  );
  const added = updates.map(({ Key, ExpressionAttributeNames: names, ExpressionAttributeValues: values }) => [
    Key.sk,
    Object.fromEntries(Object.entries(names).map(([at, name]) => [name, values[at.replace('#c', ':d')]])),
  ]);
  return Object.fromEntries(added);
}

const fingerprint = (invoice: Invoice) => entryFingerprint(listEntryOf(invoice));
/** What is added to the fingerprint of a day where an invoice becomes another. */
const moved = (before: Invoice, after: Invoice) =>
  toSummand(subtractFingerprints(fingerprint(after), fingerprint(before)));

describe('the day counters of changed invoices', () => {
  it('count a new invoice, in the shard that was chosen, with its fingerprint and the change', () => {
    expect(additions([null, march])).toEqual({
      'COUNT#2026-03#1': { '15PEN': 1, '15': toSummand(fingerprint(march)), changes: 1 },
    });
  });

  it('move with an invoice, from month to month', () => {
    const approved = { ...april, state: 'APR' } as const;
    expect(additions([march, approved])).toEqual({
      'COUNT#2026-03#1': { '15PEN': -1, '15': toSummand(subtractFingerprints(0, fingerprint(march))), changes: 1 },
      'COUNT#2026-04#1': { '01APR': 1, '01': toSummand(fingerprint(approved)), changes: 1 },
    });
  });

  it('are left alone by what neither a list nor a search goes by', () => {
    expect(additions([march, { ...march, version: 2, city: 'Salta' }])).toEqual({});
  });

  it('tell of changes that no counter counts: moves within a day, other searched texts, and what cancels out', () => {
    expect(additions([march, earlier])).toEqual({ 'COUNT#2026-03#1': { '15': moved(march, earlier), changes: 1 } });
    const renamed = { ...march, accountName: 'Otra' };
    expect(additions([march, renamed])).toEqual({ 'COUNT#2026-03#1': { '15': moved(march, renamed), changes: 1 } });
    const pending = anInvoice({ ...march, invoiceId: '1', state: 'APR' });
    const summand = additions([march, { ...march, state: 'APR' }], [pending, { ...pending, state: 'PEN' }]);
    expect(Object.keys(summand['COUNT#2026-03#1'])).toEqual(['15', 'changes']);
  });

  it('add up over all shards, to whichever side of zero a shard alone has gone', () => {
    const numbers = (attributes: Record<string, string>) =>
      Object.fromEntries(Object.entries(attributes).map(([name, N]) => [name, { N }]));
    const shards = [
      { ...numbers({ '15PEN': '-1', '15': '-281474976710655', changes: '3' }), pk: { S: 't' } },
      numbers({ '15PEN': '3', '15': '844424930131970', '16': '7' }),
    ];
    expect(Object.fromEntries(sumsOf(shards))).toEqual({ '15PEN': 2, '15': 3, '16': 7 });
  });
});
