import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decimal } from '../../../lib/domain/money.ts';
import { invalidDeclarationFields } from '../../fixtures/declaration-cases.ts';
import { type Portal, startPortal } from '../../support/service/portal.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { expectFault } from '../../support/answers/expect-fault.ts';

let portal: Portal;
beforeAll(async () => {
  portal = await startPortal();
});
afterAll(() => portal.close());

/** Checks an amount of a new caller's only invoice, of 100, so that no test meets another's rate limit. */
async function validate(fields: Record<string, unknown>) {
  const tolerance = { mode: 'ABS', tolerance_abs: 10, auto_approve: true } as const;
  const { account, call } = await portal.newCaller({ tenant: { tolerance: tolerance as never } });
  await seedInvoices(portal.engine, account.scope, [anInvoice({ invoiceId: '1001', systemAmount: decimal(100) })]);
  return call('validate-amount', { body: { invoice_id: '1001', amount: 90, ...fields } });
}

describe('POST /apidev/v1/supplier-portal/invoices/validate', () => {
  it('answers with the two amounts and the outcome that declaring would have [service/check] [validate-amount/response] [envelope/data-object] [envelope/meta-object]', async () => {
    const { status, body } = await validate({});
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      data: {
        invoice_id: '1001',
        system_amount: 100,
        declared_amount: 90,
        within_tolerance: true,
        difference: -10,
        difference_pct: -10,
        difference_abs: 10,
        action: 'AUTO_APPROVE',
        config_source: 'global',
      },
      meta: {},
    });
  });

  it.each(invalidDeclarationFields.filter(([property]) => property === 'invoice_id' || property === 'amount'))(
    'rejects %s that breaks %s: %j [validate-amount/$0]',
    async (property, constraint, value) => {
      expectFault(await validate({ [property]: value }), property, constraint);
    },
  );

  it.each([0, 999_999_999_999.99])('accepts the amount %d at its bound [validate-amount/amount]', async (amount) => {
    expect((await validate({ amount })).body.data).toMatchObject({ declared_amount: amount });
  });

  it('ignores unknown fields, those of declare among them', async () => {
    expect((await validate({ notes: 7, tax_pct: 'x' })).status).toBe(200);
  });

  it('needs the Content-Type application/json [common/content-type]', async () => {
    const { call } = await portal.newCaller();
    const answer = await call('validate-amount', {
      headers: { 'content-type': 'text/plain' },
      body: { invoice_id: '1', amount: 1 },
    });
    expectFault(answer, 'Content-Type', 'mediaType');
  });
});
