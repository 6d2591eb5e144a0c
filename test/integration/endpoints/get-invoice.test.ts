import { describe, expect, it } from 'vitest';
import { decimal } from '../../../lib/domain/money.ts';
import { fromTolerance } from '../../support/data/tolerance-item.ts';
import { costOf } from '../../support/engine/engine-proxy.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { expectFault } from '../../support/answers/expect-fault.ts';
import { aDeclaration, anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';

const pathOf = (invoiceId: string) => `/apidev/v1/supplier-portal/invoices/${invoiceId}`;

const portal = useWatchedPortal();

describe('the detail of an invoice', () => {
  it('holds all row fields, the concepts and the tolerance [get-invoice/response] [envelope/data-object]', async () => {
    const tolerance = { mode: 'AMB', pct: decimal('2.5'), abs: decimal('100'), autoApprove: true } as const;
    const { account, call } = await portal.newCaller({ supplier: { tolerance: fromTolerance(tolerance) } });
    const declaration = aDeclaration({ amount: decimal('1033.33'), notes: 'Peaje' });
    const providerInvoice = { number: 'FE-1', date: '2026-03-20' };
    const [towing] = anInvoice().concepts;
    const toll = { ...towing!, conceptId: '32', description: 'Peaje', total: decimal('5.5') };
    const concepts = [towing!, toll];
    const invoice = anInvoice({
      state: 'REV',
      systemAmount: decimal('1000.10'),
      declaration,
      providerInvoice,
      concepts,
    });
    await seedInvoices(portal.engine, account.scope, [invoice]);

    const { body } = await call('get-invoice', { path: pathOf(invoice.invoiceId) });

    expect(body).toEqual({
      success: true,
      data: {
        invoice_id: invoice.invoiceId,
        invoice_date: '2026-03-15T10:30:00.000Z',
        service_id: '7001',
        service_number: 'SRV-7001',
        service_call_date: '2026-03-14T08:00:00.000Z',
        account_name: 'Aseguradora Córdoba',
        city: 'Bogotá',
        system_amount: 1000.1,
        declaration_id: declaration.declarationId,
        declared_amount: 1033.33,
        declared_notes: 'Peaje',
        provider_invoice_number: 'FE-1',
        provider_invoice_date: '2026-03-20',
        state_code: 'REV',
        state_name: 'En revisión',
        difference: 33.23,
        difference_pct: 3.3227,
        attachment_url: 'https://files.example/invoice.pdf',
        attachment_filename: 'invoice.pdf',
        concepts: [
          { concept_id: '31', description: 'Grúa', unit_amount: 500, quantity: 2, tax_pct: 19, total: 1190 },
          { concept_id: '32', description: 'Peaje', unit_amount: 500, quantity: 2, tax_pct: 19, total: 5.5 },
        ],
        tolerance: { mode: 'AMB', tolerance_pct: 2.5, tolerance_abs: 100, auto_approve: true, source: 'proveedor' },
      },
      meta: {},
    });
  });

  it('answers null for every optional field that has no value', async () => {
    const { account, call } = await portal.newCaller();
    const optional = {
      invoiceDate: null,
      serviceNumber: null,
      serviceCallDate: null,
      accountName: null,
      city: null,
      attachmentUrl: null,
      attachmentFilename: null,
    };
    const invoice = anInvoice({ ...optional, concepts: [] });
    await seedInvoices(portal.engine, account.scope, [invoice]);

    const { body } = await call('get-invoice', { path: pathOf(invoice.invoiceId) });

    const empty = Object.entries(body.data).filter(([, value]) => value === null);
    expect(empty.map(([name]) => name)).toEqual([
      'invoice_date',
      'service_number',
      'service_call_date',
      'account_name',
      'city',
      'declaration_id',
      'declared_amount',
      'declared_notes',
      'provider_invoice_number',
      'provider_invoice_date',
      'difference',
      'difference_pct',
      'attachment_url',
      'attachment_filename',
    ]);
  });

  it("is 404 NOT_FOUND, in the same words, for an absent invoice, another supplier's and another tenant's [service/rule-1] [get-invoice/not-found] [codes/NOT_FOUND/resource]", async () => {
    const { account, call } = await portal.newCaller();
    const colleague = await portal.newCaller({ tenant: { tenant: account.scope.tenant } });
    const stranger = await portal.newCaller();
    const [theirs, foreign] = [anInvoice(), anInvoice()];
    await seedInvoices(portal.engine, colleague.account.scope, [theirs]);
    await seedInvoices(portal.engine, stranger.account.scope, [foreign]);

    for (const invoiceId of ['4711', theirs.invoiceId, foreign.invoiceId]) {
      const { status, body } = await call('get-invoice', { path: pathOf(invoiceId) });
      expect(status).toBe(404);
      expect(body).toEqual({ success: false, error: { code: 'NOT_FOUND', message: 'The invoice was not found.' } });
    }
  });

  it.each(['1', '00001', '1'.repeat(20)])(
    'opens the invoice %s [service/detail] [get-invoice/id] [envelope/meta-object]',
    async (invoiceId) => {
      const { account, call } = await portal.newCaller();
      await seedInvoices(portal.engine, account.scope, [anInvoice({ invoiceId })]);
      const { status, body } = await call('get-invoice', { path: pathOf(invoiceId) });
      expect(status).toBe(200);
      expect(body.data).toMatchObject({ invoice_id: invoiceId, concepts: [{ concept_id: '31' }] });
      expect(body.meta).toEqual({});
    },
  );

  it.each(['abc', 'A1', '12a', '1a', '-1', '+1', '1.5', '1,2', ' 1', '%20', '１', ''])(
    'rejects the id %j, which is not digits only [get-invoice/id] [errors/rule-1] [codes/VALIDATION_ERROR/id] [versioning/entity-ids]',
    async (id) => {
      const { call } = await portal.newCaller();
      expectFault(await call('get-invoice', { path: pathOf(id) }), 'id', 'pattern');
    },
  );

  it('costs 2 serial round trips, 6 read units, and 1 write unit for the rate limit', async () => {
    const { account, call } = await portal.newCaller();
    const [invoice] = await seedInvoices(portal.engine, account.scope, [anInvoice()]);
    const path = pathOf(invoice?.invoiceId ?? '');
    await call('get-invoice', { path });

    const { serialRoundTrips, units } = await costOf(portal.proxy, () => call('get-invoice', { path }));

    expect(serialRoundTrips).toBe(2);
    // Tenant, company, user, supplier and key; then the invoice. All strongly consistent and below 4 KB.
    expect(units).toEqual({
      Directory: { read: 5, write: 0 },
      RateCounters: { read: 0, write: 1 },
      Invoices: { read: 1, write: 0 },
    });
  });
});
