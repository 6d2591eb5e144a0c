import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Invoke } from '../../support/service/handlers.ts';
import { type Portal, startPortal } from '../../support/service/portal.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { storedInvoices } from '../../support/data/stored-invoices.ts';

let portal: Portal;
beforeAll(async () => {
  portal = await startPortal();
});
beforeEach(() => portal.proxy.reset());
afterAll(() => portal.close());

const item = { invoice_id: '1', amount: 1 };
const declare = (call: Invoke, declarations: unknown) => call('declare-batch', { body: { declarations } });

describe('a malformed batch', () => {
  it('with one faulty item is refused whole: every fault of every item is named, and nothing is written [declare-batch/rule-2] [error-envelope/always-details]', async () => {
    const { account, call } = await portal.newCaller();
    const good = anInvoice();
    await seedInvoices(portal.engine, account.scope, [good]);

    const { status, body } = await declare(call, [
      { invoice_id: good.invoiceId, amount: 1 },
      { invoice_id: 'x', amount: -1, tax_pct: 101, invoice_date: '2026-02-30', invoice_number: 'n'.repeat(61) },
      { invoice_id: good.invoiceId },
      'not an item',
      { invoice_id: 7, amount: '1', notes: 'n'.repeat(2001) },
    ]);

    expect(status).toBe(400);
    const named = body.error?.details?.map(({ property, constraints }) => [property, Object.keys(constraints)]);
    expect(Object.fromEntries(named ?? [])).toEqual({
      'declarations[1].invoice_id': ['pattern'],
      'declarations[1].amount': ['minimum'],
      'declarations[1].tax_pct': ['maximum'],
      'declarations[1].invoice_date': ['format'],
      'declarations[1].invoice_number': ['maxLength'],
      'declarations[2].amount': ['required'],
      'declarations[3]': ['type'],
      'declarations[4].invoice_id': ['type'],
      'declarations[4].amount': ['type'],
      'declarations[4].notes': ['maxLength'],
    });
    const stored = await storedInvoices(portal.engine, account.scope);
    expect(stored.get(good.invoiceId)).toMatchObject({ version: 1, state_code: 'PEN' });
    expect(portal.proxy.calls.some(({ tables }) => tables.includes('Invoices'))).toBe(false);
  });

  it.each([
    ['101 items', Array.from({ length: 101 }, () => item), 'maxItems'],
    ['no items', [], 'minItems'],
    ['an object', { 0: item }, 'type'],
    ['nothing', undefined, 'required'],
  ])('of %s is a VALIDATION_ERROR on declarations [declare-batch/rule-2]', async (_what, declarations, constraint) => {
    const { call } = await portal.newCaller();
    const { status, body } = await declare(call, declarations);
    expect(status).toBe(400);
    expect(body.error?.details).toMatchObject([
      { property: 'declarations', constraints: { [constraint]: expect.any(String) } },
    ]);
  });
});
