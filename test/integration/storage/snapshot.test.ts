import { describe, expect, it } from 'vitest';
import { decimal } from '../../../lib/domain/money.ts';
import { fromTolerance } from '../../support/data/tolerance-item.ts';
import type { Answer } from '../../support/answers/answer.ts';
import { usePortal } from '../../support/setup/use-portal.ts';
import { changeRecord, seedAccount } from '../../support/data/seed.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { useDate } from '../../support/setup/use-date.ts';

const NOW = Date.parse('2026-05-01T10:00:00.000Z');
const path = '/apidev/v1/supplier-portal/invoices/4711';
const declaration = { invoice_id: '4711', amount: 1 };

const portal = usePortal();
useDate(NOW);

const errorOf = ({ status, body }: Answer) => [status, body.error?.code, body.error?.message];
// The invoice that is asked for does not exist: NOT_FOUND says that every check was passed.
const PASSED = [404, 'NOT_FOUND', 'The invoice was not found.'];
const BAD_KEY = [401, 'UNAUTHORIZED', 'The API key is missing or not valid.'];
const INACTIVE = [401, 'UNAUTHORIZED', 'User is not active'];
const SUSPENDED = [403, 'COMPANY_SUSPENDED', 'The company account is suspended.'];
const NO_SUPPLIER = [403, 'FORBIDDEN', 'This endpoint requires a supplier account.'];

describe('a change of the configuration takes effect at once on a token that was issued before', () => {
  it.each([
    {
      change: 'the user is deactivated',
      record: 'user',
      fields: { active: false },
      expected: INACTIVE,
      rule: 'auth/rule-2/deactivated',
    },
    {
      change: "the user's company is suspended",
      record: 'company',
      fields: { status: 'SUSPENDED' },
      expected: SUSPENDED,
      rule: 'auth/rule-4/tokens',
    },
    {
      change: 'the user has no supplier',
      record: 'user',
      fields: { supplier_id: undefined },
      expected: NO_SUPPLIER,
      rule: 'service/rule-2',
    },
    {
      change: 'the key is revoked',
      record: 'apiKey',
      fields: { status: 'INACTIVE' },
      expected: BAD_KEY,
      rule: 'api-key/status',
    },
  ] as const)('$change [auth/rule-2/at-once] [$rule]', async ({ record, fields, expected }) => {
    const { account, call } = await portal.newCaller();
    expect(errorOf(await call('get-invoice', { path }))).toEqual(PASSED);
    await changeRecord(portal.engine, account.keys[record], fields);

    expect(errorOf(await call('get-invoice', { path }))).toEqual(expected);
    expect(errorOf(await call('declare-invoice', { body: declaration }))).toEqual(expected);
  });

  it('the user, or the whole company, is restored: the same token works again', async () => {
    const { account, call } = await portal.newCaller();
    await changeRecord(portal.engine, account.keys.user, { active: false });
    expect(errorOf(await call('get-invoice', { path }))).toEqual(INACTIVE);
    await changeRecord(portal.engine, account.keys.user, { active: true });
    await changeRecord(portal.engine, account.keys.company, { status: 'SUSPENDED' });
    expect(errorOf(await call('get-invoice', { path }))).toEqual(SUSPENDED);
    await changeRecord(portal.engine, account.keys.company, { status: 'ACTIVE' });
    expect(errorOf(await call('get-invoice', { path }))).toEqual(PASSED);
  });

  it('one permission is removed: only the endpoints that need it are FORBIDDEN [auth/rule-3] [codes/FORBIDDEN/permission]', async () => {
    const { account, call } = await portal.newCaller();
    const list = () => call('list-invoices', { query: { startdate: '2026-03-01', enddate: '2026-03-31' } });
    const check = () => call('validate-amount', { body: declaration });
    const batch = () => call('declare-batch', { body: { declarations: [declaration] } });
    const statuses = async () => [
      ...(await Promise.all([list(), call('get-invoice', { path }), check()])).map(({ status }) => status),
      ...(await Promise.all([call('declare-invoice', { body: declaration }), batch()])).map(({ status }) => status),
    ];
    await changeRecord(portal.engine, account.keys.user, { permissions: ['APICLI_PORTALPROVEEDOR_WRITE', 'OTHER'] });
    expect(await statuses()).toEqual([403, 403, 403, 404, 200]);
    expect(errorOf(await list())).toEqual([
      403,
      'FORBIDDEN',
      'The permission APICLI_PORTALPROVEEDOR_READ is required.',
    ]);
    await changeRecord(portal.engine, account.keys.user, { permissions: ['APICLI_PORTALPROVEEDOR_READ'] });
    expect(await statuses()).toEqual([200, 404, 404, 403, 403]);
  });

  it("the user moves to another supplier: that supplier's invoices and tolerance apply, whatever the token says", async () => {
    const { account, call } = await portal.newCaller();
    const pct = { mode: 'PCT', pct: decimal('3'), abs: null, autoApprove: false } as const;
    const other = await seedAccount(portal.engine, {
      tenant: { tenant: account.scope.tenant },
      supplier: { company_id: account.reference.companyId, tolerance: fromTolerance(pct) },
    });
    const [mine] = await seedInvoices(portal.engine, account.scope, [anInvoice()]);
    const [theirs] = await seedInvoices(portal.engine, other.scope, [anInvoice()]);
    await changeRecord(portal.engine, account.keys.user, { supplier_id: other.scope.supplierId });

    const range = { startdate: '2026-03-01', enddate: '2026-03-31' };
    const { data } = (await call('list-invoices', { query: range })).body;
    expect(data.rows.map((row: { invoice_id: string }) => row.invoice_id)).toEqual([theirs?.invoiceId]);
    expect(data.tolerance).toMatchObject({ mode: 'PCT', tolerance_pct: 3, source: 'proveedor' });
    const old = await call('get-invoice', { path: path.replace('4711', mine?.invoiceId ?? '') });
    expect(errorOf(old)).toEqual(PASSED);
  });

  it("the tolerance changes: the supplier's comes first, then the tenant's, then none", async () => {
    const { account, call } = await portal.newCaller();
    await seedInvoices(portal.engine, account.scope, [anInvoice({ invoiceId: '1', systemAmount: decimal('100') })]);
    const check = async () => (await call('validate-amount', { body: { invoice_id: '1', amount: 104 } })).body.data;
    const abs = (amount: string) => fromTolerance({ mode: 'ABS', pct: null, abs: decimal(amount), autoApprove: true });
    expect(await check()).toMatchObject({ config_source: 'ninguna', within_tolerance: false, action: 'REVIEW' });
    await changeRecord(portal.engine, account.keys.tenant, { tolerance: abs('5') });
    expect(await check()).toMatchObject({ config_source: 'global', within_tolerance: true, action: 'AUTO_APPROVE' });
    await changeRecord(portal.engine, account.keys.supplier, { tolerance: abs('3') });
    expect(await check()).toMatchObject({ config_source: 'proveedor', within_tolerance: false, action: 'REVIEW' });
  });
});
