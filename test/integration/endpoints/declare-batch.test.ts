import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../lib/domain/limits.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { fromInvoice } from '../../../lib/storage/items/invoice-items.ts';
import { itemBytes, MAX_ITEM_BYTES } from '../../../lib/storage/dynamodb/item-size.ts';
import { costOf } from '../../support/engine/engine-proxy.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { rightCounters, storedInvoices, storedRevisions } from '../../support/data/stored-invoices.ts';

const portal = useWatchedPortal();

async function callerWithInvoices(invoices: readonly ReturnType<typeof anInvoice>[]) {
  const { account, call } = await portal.newCaller();
  await seedInvoices(portal.engine, account.scope, invoices);
  return {
    account,
    declare: (declarations: unknown) => call('declare-batch', { body: { declarations } }),
    stored: () => storedInvoices(portal.engine, account.scope),
    revisions: (invoiceId: string) => storedRevisions(portal.engine, account.scope, invoiceId),
  };
}

describe('a batch of declarations', () => {
  it('is rejected as a whole if an item is no object with a text as invoice_id, and then nothing is written [declare-batch/rule-2] [error-envelope/always-details]', async () => {
    const invoice = anInvoice();
    const { declare, stored } = await callerWithInvoices([invoice]);
    portal.proxy.reset();

    const { status, body } = await declare([
      { invoice_id: invoice.invoiceId, amount: 1 },
      { invoice_id: 'x', amount: -1 },
      { invoice_id: 7, amount: 1 },
      { amount: 1 },
      'not an item',
    ]);

    expect(status).toBe(400);
    const named = body.error?.details?.map(({ property, constraints }) => [property, Object.keys(constraints)]);
    expect(Object.fromEntries(named ?? [])).toEqual({
      'declarations[2].invoice_id': ['type'],
      'declarations[3].invoice_id': ['required'],
      'declarations[4]': ['type'],
    });
    const calls = portal.proxy.calls.filter(({ tables }) => tables.includes('Invoices'));
    expect((await stored()).get(invoice.invoiceId)).toMatchObject({ version: 1, state_code: 'PEN' });
    expect(calls).toEqual([]);
  });

  it('returns one entry per item in the submitted order, and rejects only the absent, foreign, settled and invalid ones [service/rule-1] [service/declare] [errors/rule-5] [envelope/data-object] [envelope/meta-object] [declare-batch/results] [declare-batch/accepted] [declare-batch/rejected] [declare-batch/entry] [declare-batch/entry-declared] [declare-batch/entry-failed] [declare-batch/rule-1]', async () => {
    const [first, settled, last] = [anInvoice(), anInvoice({ state: 'LIQ' }), anInvoice()];
    const { account, declare, stored } = await callerWithInvoices([first, settled, last]);
    const colleague = await portal.newCaller({ tenant: { tenant: account.scope.tenant } });
    const stranger = await portal.newCaller();
    const [theirs, foreign] = [anInvoice(), anInvoice()];
    await seedInvoices(portal.engine, colleague.account.scope, [theirs]);
    await seedInvoices(portal.engine, stranger.account.scope, [foreign]);

    const ids = [first.invoiceId, '4711', theirs.invoiceId, foreign.invoiceId, settled.invoiceId, 'x', last.invoiceId];
    const { status, body } = await declare(ids.map((id, index) => ({ invoice_id: id, amount: 1000 + index })));

    expect(status).toBe(200);
    const notFound = { success: false, error: { code: 'NOT_FOUND', message: 'The invoice was not found.' } };
    expect(body).toEqual({
      success: true,
      data: {
        results: [
          {
            invoice_id: first.invoiceId,
            success: true,
            declaration_id: expect.stringMatching(/^\d+$/),
            declared_amount: 1000,
            state_id: 4,
            tolerance: expect.objectContaining({ action: 'REVIEW', config_source: 'ninguna' }),
          },
          { invoice_id: '4711', ...notFound },
          { invoice_id: theirs.invoiceId, ...notFound },
          { invoice_id: foreign.invoiceId, ...notFound },
          {
            invoice_id: settled.invoiceId,
            success: false,
            error: {
              code: 'VALIDATION_ERROR',
              message: 'Invalid request: declarations[4].invoice_id.',
              details: [{ property: 'declarations[4].invoice_id', constraints: { state: expect.any(String) } }],
            },
          },
          {
            invoice_id: 'x',
            success: false,
            error: {
              code: 'VALIDATION_ERROR',
              message: 'Invalid request: declarations[5].invoice_id.',
              details: [{ property: 'declarations[5].invoice_id', constraints: { pattern: expect.any(String) } }],
            },
          },
          expect.objectContaining({ invoice_id: last.invoiceId, success: true, declared_amount: 1006, state_id: 4 }),
        ],
        accepted: 2,
        rejected: 5,
      },
      meta: {},
    });
    const declared = [...(await stored()).values()].map((item) => [item['sk'], item['declared_amount']]);
    expect(Object.fromEntries(declared)).toEqual({
      [first.invoiceId]: 1000,
      [settled.invoiceId]: undefined,
      [last.invoiceId]: 1006,
    });
    for (const { scope } of [colleague.account, stranger.account]) {
      for (const item of (await storedInvoices(portal.engine, scope)).values()) expect(item['version']).toBe(1);
    }
  });

  it('in which every item is invalid returns 200 and reads and writes no invoice [declare-batch/rule-1]', async () => {
    const { declare } = await callerWithInvoices([]);
    portal.proxy.reset();
    const { status, body } = await declare([{ invoice_id: 'x', amount: 1 }, { invoice_id: '1' }]);
    expect([status, body.data.accepted, body.data.rejected]).toEqual([200, 0, 2]);
    expect(portal.proxy.calls.filter(({ tables }) => /Invoices|Declarations/.test(tables.join()))).toEqual([]);
  });

  it('with the same invoice in every item keeps every revision in order; the last one stands', async () => {
    const same = anInvoice({ systemAmount: decimal('1') });
    const { declare, stored, revisions, account } = await callerWithInvoices([same]);
    const amounts = Array.from({ length: LIMITS.batchItems }, (_, index) => index + 1);

    const { body } = await declare(amounts.map((amount) => ({ invoice_id: same.invoiceId, amount })));

    expect(body.data).toMatchObject({ accepted: LIMITS.batchItems, rejected: 0 });
    expect(body.data.results.map((result: { declared_amount: number }) => result.declared_amount)).toEqual(amounts);
    const history = (await revisions(same.invoiceId)).map((item) => [item['sk'], item['declared_amount']]);
    expect(history).toEqual(amounts.map((amount) => [amount, amount]));
    expect((await stored()).get(same.invoiceId)).toMatchObject({
      declared_amount: LIMITS.batchItems,
      declaration_revision: LIMITS.batchItems,
    });
    await rightCounters(portal.engine, account.scope);
  });

  it('of 100 items costs at most 4 serial round trips and exactly 1,031 write units', async () => {
    const invoices = Array.from({ length: 100 }, () => anInvoice());
    const { account, declare, stored } = await callerWithInvoices(invoices);
    await declare([{ invoice_id: '1', amount: 1 }]);

    const items = invoices.map(({ invoiceId }) => ({ invoice_id: invoiceId, amount: 1000 }));
    const { serialRoundTrips, units } = await costOf(portal.proxy, () => declare(items));

    expect(serialRoundTrips).toBeLessThanOrEqual(4);
    expect(units).toEqual({
      Directory: { read: 5, write: 0 },
      RateCounters: { read: 0, write: 1 },
      // As in a single declaration 8 for each invoice; 2 for the month's counter in each of the 6 transactions.
      Invoices: { read: 100, write: 100 * 8 + 6 * 2 },
      // 2 for each revision; 3 for the entry of the log of each transaction and its index. The latest entry of the
      // shard that the first call wrote to is known; the others are read.
      Declarations: { read: 5, write: 100 * 2 + 6 * 3 },
    });
    expect([...(await stored()).values()].every(({ state_code: state }) => state === 'APR' || state === 'REV')).toBe(
      true,
    );
    await rightCounters(portal.engine, account.scope);
  });
});

describe('a batch with large invoices', () => {
  const withConcepts = (count: number, characters = 1000) => {
    const { concepts } = anInvoice();
    return anInvoice({
      concepts: Array.from({ length: count }, () => ({ ...concepts[0]!, description: 'x'.repeat(characters) })),
    });
  };

  it('loses only the one that the table has no room for [declare-batch/rule-1]', async () => {
    const large = withConcepts(370);
    const bytes = itemBytes(fromInvoice({ tenant: 't'.repeat(40), supplierId: '1'.repeat(19) }, large));
    // As large as an item may be: no notes have room in it.
    const full = { ...large, city: 'x'.repeat(MAX_ITEM_BYTES - bytes) };
    const others = Array.from({ length: 24 }, () => anInvoice());
    const { declare, stored } = await callerWithInvoices([...others, full]);
    const notes = '\u{1f600}'.repeat(2000);
    const items = [full, ...others].map(({ invoiceId }) => ({ invoice_id: invoiceId, amount: 1, notes }));
    const { status, body } = await declare(items);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ accepted: 24, rejected: 1 });
    expect(body.data.results[0]).toEqual({
      invoice_id: full.invoiceId,
      success: false,
      error: { code: 'INTERNAL_ERROR', message: 'The declaration could not be written.' },
    });
    expect((await stored()).get(full.invoiceId)).toMatchObject({ version: 1 });
  });

  it('declares a full batch of 210 KB each, in transactions of no more than 4 MB', { tags: 'long' }, async () => {
    const invoices = Array.from({ length: LIMITS.batchItems }, () => withConcepts(10, 20_900));
    const { account, declare } = await callerWithInvoices([]);
    for (let first = 0; first < LIMITS.batchItems; first += 10) {
      await seedInvoices(portal.engine, account.scope, invoices.slice(first, first + 10));
    }
    const { body } = await declare(invoices.map(({ invoiceId }) => ({ invoice_id: invoiceId, amount: 1 })));
    expect(body.data).toMatchObject({ accepted: LIMITS.batchItems, rejected: 0 });
    // 4 transactions of 25, as there are of small ones, would be refused, and 8 halves follow; one that is slow may be
    // repeated.
    const writes = portal.proxy.calls.filter(({ operation }) => operation === 'TransactWriteItems');
    expect(writes.length).toBeGreaterThanOrEqual(6);
    expect(writes.length).toBeLessThan(12);
  });
});
