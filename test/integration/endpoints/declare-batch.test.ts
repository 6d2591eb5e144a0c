import { describe, expect, it } from 'vitest';
import { MAX_ITEM_BYTES } from '../../../lib/tables/dynamodb/values.ts';
import { computeInvoiceBytes, computeMaxItemBytes, fromInvoice } from '../../../lib/tables/invoice-items.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { readStoredInvoices } from '../../support/data/stored-invoices.ts';
import { proves } from '../../rules/proves.ts';

const portal = useWatchedPortal();

async function createCallerWithInvoices(invoices: readonly ReturnType<typeof buildInvoice>[]) {
  const { account, call } = await portal.newCaller();
  await seedInvoices(portal.engine, account.scope, invoices);
  return {
    account,
    declare: (declarations: unknown) => call('declare-batch', { body: { declarations } }),
    readStored: () => readStoredInvoices(portal.engine, account.scope),
  };
}

describe('a batch of declarations', () => {
  it('a batch returns one entry per item in the submitted order, and rejects only absent, foreign, settled and invalid items', async () => {
    proves('service/rule-1', 'service/declare', 'errors/rule-5', 'envelope/data-object', 'envelope/meta-object');
    proves('declare-batch/results', 'declare-batch/accepted', 'declare-batch/rejected', 'declare-batch/entry');
    proves('declare-batch/entry-declared', 'declare-batch/entry-failed', 'declare-batch/rule-1');
    const [first, settled, last] = [buildInvoice(), buildInvoice({ state: 'LIQ' }), buildInvoice()];
    const { account, declare, readStored } = await createCallerWithInvoices([first, settled, last]);
    const colleague = await portal.newCaller({ tenant: { tenant: account.scope.tenant } });
    const stranger = await portal.newCaller();
    const [colleagueInvoice, strangerInvoice] = [buildInvoice(), buildInvoice()];
    await seedInvoices(portal.engine, colleague.account.scope, [colleagueInvoice]);
    await seedInvoices(portal.engine, stranger.account.scope, [strangerInvoice]);

    // No invoice has an id of more than 20 digits.
    const tooLong = '1'.repeat(21);
    const absent = ['4711', tooLong, colleagueInvoice.invoiceId, strangerInvoice.invoiceId];
    const ids = [first.invoiceId, ...absent, settled.invoiceId, 'x', last.invoiceId];
    const { status, body } = await declare(ids.map((id, index) => ({ invoice_id: id, amount: 1000 + index })));

    expect(status).toBe(200);
    const buildInvalid = (index: number, invoice_id: string, constraint: string) => {
      const property = `declarations[${index}].invoice_id`;
      const details = [{ property, constraints: { [constraint]: expect.any(String) } }];
      const message = `Invalid request: ${property}.`;
      return { invoice_id, success: false, error: { code: 'VALIDATION_ERROR', message, details } };
    };
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
          ...absent.map((id) => ({ invoice_id: id, ...notFound })),
          buildInvalid(5, settled.invoiceId, 'state'),
          buildInvalid(6, 'x', 'pattern'),
          expect.objectContaining({ invoice_id: last.invoiceId, success: true, declared_amount: 1007, state_id: 4 }),
        ],
        accepted: 2,
        rejected: 6,
      },
      meta: {},
    });
    const declared = [...(await readStored()).values()].map((item) => [item['sk'], item['declared_amount']]);
    expect(Object.fromEntries(declared)).toEqual({
      [first.invoiceId]: 1000,
      [settled.invoiceId]: undefined,
      [last.invoiceId]: 1007,
    });
    for (const { scope } of [colleague.account, stranger.account]) {
      for (const item of (await readStoredInvoices(portal.engine, scope)).values()) expect(item['version']).toBe(1);
    }
  });
});

describe('a batch with large invoices', () => {
  const buildLargeInvoice = (count: number, characters = 1000) => {
    const { concepts } = buildInvoice();
    return buildInvoice({
      concepts: Array.from({ length: count }, () => ({ ...concepts[0]!, description: 'x'.repeat(characters) })),
    });
  };

  it('a batch declares an invoice at the limit of an import, and rejects only one that would exceed the maximum size', async () => {
    proves('declare-batch/rule-1');
    const scope = { tenant: 't'.repeat(40), supplierId: '1'.repeat(19) };
    const large = buildLargeInvoice(340);
    const withBytes = (bytes: number) => ({ ...buildInvoice(), concepts: large.concepts, city: 'x'.repeat(bytes) });
    const largest = withBytes(MAX_ITEM_BYTES - computeMaxItemBytes(scope, withBytes(0)));
    // No notes can be added.
    const full = withBytes(MAX_ITEM_BYTES - computeInvoiceBytes(fromInvoice(scope, withBytes(0))));
    const others = Array.from({ length: 23 }, () => buildInvoice());
    const { declare, readStored } = await createCallerWithInvoices([...others, largest, full]);
    const notes = '\u{1f600}'.repeat(2000);
    const items = [full, largest, ...others].map(({ invoiceId }) => ({ invoice_id: invoiceId, amount: 1, notes }));
    const { status, body } = await declare(items);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ accepted: 24, rejected: 1 });
    expect(body.data.results[0]).toEqual({
      invoice_id: full.invoiceId,
      success: false,
      error: { code: 'INTERNAL_ERROR', message: 'The declaration could not be written.' },
    });
    expect((await readStored()).get(full.invoiceId)).toMatchObject({ version: 1 });
  });
});
