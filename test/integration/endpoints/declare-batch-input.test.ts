import { describe, expect, it } from 'vitest';
import { decimal } from '../../../lib/domain/money.ts';
import { invalidDeclarationFields, validDeclarationFields } from '../../fixtures/declaration-cases.ts';
import type { Invoke } from '../../support/service/handlers.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { storedInvoices } from '../../support/data/stored-invoices.ts';
import { expectFault } from '../../support/answers/expect-fault.ts';

const portal = useWatchedPortal();

const good = { invoice_id: '1001', amount: 100 };

/** Declares on a new caller's two invoices, of 100 each, so that no test meets another's rate limit. */
async function declareBatch(declarations: unknown) {
  const { account, call } = await portal.newCaller();
  const invoices = ['1001', '1002'].map((invoiceId) => anInvoice({ invoiceId, systemAmount: decimal(100) }));
  await seedInvoices(portal.engine, account.scope, invoices);
  return call('declare-batch', { body: { declarations, unknown: true } });
}

describe('POST /apidev/v1/supplier-portal/invoices/declare-batch', () => {
  it('answers one entry per item in the submitted order, and the counts [service/declare] [envelope/data-object] [envelope/meta-object] [declare-batch/results] [declare-batch/accepted] [declare-batch/rejected] [declare-batch/entry] [declare-batch/entry-declared] [declare-batch/entry-failed]', async () => {
    const { status, body } = await declareBatch([{ ...good, invoice_id: '1002' }, { ...good, invoice_id: '7' }, good]);
    expect(status).toBe(200);
    const accepted = {
      success: true,
      declaration_id: expect.stringMatching(/^\d+$/),
      declared_amount: 100,
      state_id: 4,
      tolerance: {
        within_tolerance: true,
        difference: 0,
        difference_pct: 0,
        difference_abs: 0,
        action: 'REVIEW',
        config_source: 'ninguna',
      },
    };
    expect(body).toEqual({
      success: true,
      data: {
        results: [
          { invoice_id: '1002', ...accepted },
          { invoice_id: '7', success: false, error: { code: 'NOT_FOUND', message: 'The invoice was not found.' } },
          { invoice_id: '1001', ...accepted },
        ],
        accepted: 2,
        rejected: 1,
      },
      meta: {},
    });
  });

  it.each([
    ['required', undefined],
    ['type', good],
    ['type', 'x'],
    ['type', null],
    ['minItems', []],
    ['maxItems', Array.from({ length: 101 }, () => good)],
  ])(
    'rejects declarations that break %s [declare-batch/declarations] [declare-batch/rule-2]',
    async (constraint, declarations) => {
      expectFault(await declareBatch(declarations), 'declarations', constraint);
    },
  );

  it('rejects an item that is no object [declare-batch/rule-2]', async () => {
    expectFault(await declareBatch([good, 7]), 'declarations[1]', 'type');
  });

  it.each(invalidDeclarationFields)(
    'rejects an item whose %s breaks %s: %j [declare-batch/declarations]',
    async (property, constraint, value) => {
      const answer = await declareBatch([good, { ...good, [property]: value }]);
      expectFault(answer, `declarations[1].${property}`, constraint);
    },
  );

  it.each(validDeclarationFields)(
    'accepts an item with %s at its bound: %j [declare-batch/declarations]',
    async (property, value) => {
      const { body } = await declareBatch([{ ...good, [property]: value }]);
      expect(body.data).toMatchObject({ accepted: 1, rejected: 0 });
    },
  );

  it('accepts 1 item and 100 items [declare-batch/declarations]', async () => {
    expect((await declareBatch([good])).body.data).toMatchObject({ accepted: 1 });
    const hundred = Array.from({ length: 100 }, (_, n) => ({ ...good, invoice_id: n % 2 === 0 ? '1001' : '1002' }));
    expect((await declareBatch(hundred)).body.data).toMatchObject({ accepted: 100 });
  });

  it('needs the Content-Type application/json [common/content-type]', async () => {
    const { call } = await portal.newCaller();
    const answer = await call('declare-batch', {
      headers: { 'content-type': 'text/plain' },
      body: { declarations: [good] },
    });
    expectFault(answer, 'Content-Type', 'mediaType');
  });
});

const declare = (call: Invoke, declarations: unknown) => call('declare-batch', { body: { declarations } });

describe('a malformed batch', () => {
  it('with one faulty item is refused whole: every fault of every item is named, and nothing is written [declare-batch/rule-2] [error-envelope/always-details]', async () => {
    const { account, call } = await portal.newCaller();
    const invoice = anInvoice();
    await seedInvoices(portal.engine, account.scope, [invoice]);

    const { status, body } = await declare(call, [
      { invoice_id: invoice.invoiceId, amount: 1 },
      { invoice_id: 'x', amount: -1, tax_pct: 101, invoice_date: '2026-02-30', invoice_number: 'n'.repeat(61) },
      { invoice_id: invoice.invoiceId },
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
    expect(stored.get(invoice.invoiceId)).toMatchObject({ version: 1, state_code: 'PEN' });
    expect(portal.proxy.calls.some(({ tables }) => tables.includes('Invoices'))).toBe(false);
  });

  it.each([
    ['101 items', Array.from({ length: 101 }, () => good), 'maxItems'],
    ['no items', [], 'minItems'],
    ['an object', { 0: good }, 'type'],
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
