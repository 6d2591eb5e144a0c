import { describe, expect, it } from 'vitest';
import { decimal } from '../../../lib/domain/money.ts';
import { invalidDeclarationFields, validDeclarationFields } from '../../fixtures/declaration-cases.ts';
import { usePortal } from '../../support/setup/use-portal.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { expectFault } from '../../support/answers/expect-fault.ts';

const portal = usePortal();

/** Declares on a new caller's only invoice, of 100, so that no test meets another's rate limit. */
async function declare(fields: Record<string, unknown>) {
  const tolerance = { mode: 'PCT', tolerance_pct: 5, auto_approve: true } as const;
  const { account, call } = await portal.newCaller({ supplier: { tolerance: tolerance as never } });
  await seedInvoices(portal.engine, account.scope, [anInvoice({ invoiceId: '1001', systemAmount: decimal(100) })]);
  return call('declare-invoice', { body: { invoice_id: '1001', amount: 104, ...fields } });
}

describe('POST /apidev/v1/supplier-portal/invoices/declare', () => {
  it('answers with the declaration, the resulting state and the tolerance outcome [service/declare] [declare-invoice/response] [envelope/data-object] [envelope/meta-object]', async () => {
    const { status, body } = await declare({});
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      data: {
        declaration_id: expect.stringMatching(/^\d+$/),
        declared_amount: 104,
        state_id: 3,
        tolerance: {
          within_tolerance: true,
          difference: 4,
          difference_pct: 4,
          difference_abs: 4,
          action: 'AUTO_APPROVE',
          config_source: 'proveedor',
        },
      },
      meta: {},
    });
  });

  it('leaves an amount beyond the tolerance to review, state 4 [states/declaration]', async () => {
    const { body } = await declare({ amount: 94.99 });
    expect(body.data).toMatchObject({
      state_id: 4,
      tolerance: {
        within_tolerance: false,
        difference: -5.01,
        difference_pct: -5.01,
        difference_abs: 5.01,
        action: 'REVIEW',
      },
    });
  });

  it.each(invalidDeclarationFields)(
    'rejects %s that breaks %s: %j [declare-invoice/$0] [declare-invoice/invalid]',
    async (property, constraint, value) => {
      expectFault(await declare({ [property]: value }), property, constraint);
    },
  );

  it.each(validDeclarationFields)('accepts %s at its bound: %j [declare-invoice/$0]', async (property, value) => {
    const { status } = await declare({ [property]: value });
    expect(status).toBe(200);
  });

  it('names every invalid field at once [error-envelope/always-details]', async () => {
    const { body } = await declare({
      invoice_id: 'A',
      amount: -1,
      notes: 7,
      invoice_number: 7,
      invoice_date: 'x',
      tax_pct: 101,
    });
    const properties = body.error?.details?.map(({ property }) => property);
    expect(properties?.toSorted()).toEqual([
      'amount',
      'invoice_date',
      'invoice_id',
      'invoice_number',
      'notes',
      'tax_pct',
    ]);
  });

  it('ignores unknown fields', async () => {
    expect((await declare({ supplier_id: '1', state_code: 'LIQ' })).body.data.state_id).toBe(3);
  });

  it('needs the Content-Type application/json [common/content-type]', async () => {
    const { call } = await portal.newCaller();
    const answer = await call('declare-invoice', {
      headers: { 'content-type': 'text/plain' },
      body: { invoice_id: '1', amount: 1 },
    });
    expectFault(answer, 'Content-Type', 'mediaType');
  });
});
