import { expect, it, vi } from 'vitest';
import { decimal } from '../../../lib/domain/money.ts';
import type { EndpointResponse } from '../../support/answers/answer.ts';
import { changeRecord, deleteRecord, seedAccount } from '../../support/data/seed.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { fromTolerance } from '../../support/data/tolerance-item.ts';
import { measureCalls } from '../../support/engine/engine-proxy.ts';
import { readError as legacyErrorOf, createLegacyCaller } from '../../support/legacy/legacy.ts';
import { useDate } from '../../support/setup/use-date.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { proves } from '../../rules/proves.ts';

const NOW = Date.parse('2026-05-01T10:00:00.000Z');
const path = '/apidev/v1/supplier-portal/invoices/4711';
const declaration = { invoice_id: '4711', amount: 1 };

const portal = useWatchedPortal();
useDate(NOW);

const readError = ({ status, body }: EndpointResponse) => [status, body.error?.code, body.error?.message];
// The requested invoice does not exist, so NOT_FOUND means that every check has passed.
const PASSED = [404, 'NOT_FOUND', 'The invoice was not found.'];
const NO_TENANT = [401, 'UNAUTHORIZED', 'The tenant header is required.'];
const BAD_TOKEN = [401, 'UNAUTHORIZED', 'The access token is missing or invalid.'];
const BAD_KEY = [401, 'UNAUTHORIZED', 'The API key is missing or not valid.'];
const ENDED = [401, 'UNAUTHORIZED', 'The session has ended. Log in again.'];
const INACTIVE = [401, 'UNAUTHORIZED', 'User is not active'];
const SUSPENDED = [403, 'COMPANY_SUSPENDED', 'The company account is suspended.'];
const NO_SUPPLIER = [403, 'FORBIDDEN', 'This endpoint requires a supplier account.'];

it("a request can have tenant and key in any letter case, and gets 401 if the tenant is unknown, deleted or not the token's", async () => {
  proves('headers/tenant', 'codes/UNAUTHORIZED/tenant', 'codes/UNAUTHORIZED/tenant-mismatch');
  const { account, call } = await portal.newCaller({ keyCompany: { name: 'Integrator' } });
  const stranger = await portal.newCaller();
  for (const tenant of ['unknown.example', stranger.account.scope.tenant])
    expect(readError(await call('get-invoice', { path, headers: { tenant } }))).toEqual(BAD_TOKEN);
  const headers = { tenant: account.scope.tenant.toUpperCase(), 'x-api-key': account.apiKey.toUpperCase() };
  expect(readError(await call('get-invoice', { path, headers }))).toEqual(PASSED);
  await deleteRecord(portal.engine, account.keys.tenant);
  expect((await call('get-invoice', { path })).status).toBe(401);
});

it('a user moved to another supplier gets the invoices and the tolerance of this supplier, also with an earlier token', async () => {
  const { account, call } = await portal.newCaller();
  const pct = { mode: 'PCT', pct: decimal('3'), abs: null, autoApprove: false } as const;
  const other = await seedAccount(portal.engine, {
    tenant: { tenant: account.scope.tenant },
    supplier: { company_id: account.reference.companyId, tolerance: fromTolerance(pct) },
  });
  const [ownInvoice] = await seedInvoices(portal.engine, account.scope, [buildInvoice()]);
  const [otherInvoice] = await seedInvoices(portal.engine, other.scope, [buildInvoice()]);
  await changeRecord(portal.engine, account.keys.user, { supplier_id: other.scope.supplierId });

  const range = { startdate: '2026-03-01', enddate: '2026-03-31' };
  const { data } = (await call('list-invoices', { query: range })).body;
  expect(data.rows.map((row: { invoice_id: string }) => row.invoice_id)).toEqual([otherInvoice?.invoiceId]);
  expect(data.tolerance).toMatchObject({ mode: 'PCT', tolerance_pct: 3, source: 'proveedor' });
  const formerInvoice = await call('get-invoice', { path: path.replace('4711', ownInvoice?.invoiceId ?? '') });
  expect(readError(formerInvoice)).toEqual(PASSED);
});

it('a user whose supplier moved to another company gets FORBIDDEN, or COMPANY_SUSPENDED if either company is suspended', async () => {
  proves('service/rule-2', 'codes/COMPANY_SUSPENDED/company', 'auth/rule-4/endpoints', 'auth/rule-4/login');
  const { account, call } = await portal.newCaller();
  const other = await seedAccount(portal.engine, { tenant: { tenant: account.scope.tenant } });
  const { email, password, scope } = account;
  const getInvoice = () => call('get-invoice', { path });
  const login = () => portal.invoke('login', { headers: { tenant: scope.tenant }, body: { email, password } });
  expect(readError(await getInvoice())).toEqual(PASSED);
  await changeRecord(portal.engine, account.keys.supplier, { company_id: other.reference.companyId });

  const { serialRoundTrips } = await measureCalls(portal.proxy, async () => {
    expect(readError(await getInvoice())).toEqual(NO_SUPPLIER);
  });
  // The record of the other company is read after the snapshot.
  expect(serialRoundTrips).toBe(2);
  const legacy = await createLegacyCaller(portal.invoke, account)('WSObtenerFactura', { IdFactura: '4711' });
  expect(legacyErrorOf(legacy).slice(0, 2)).toEqual([200, 'FORBIDDEN']);
  expect((await login()).status).toBe(200);
  for (const company of [other.keys.company, account.keys.company]) {
    await changeRecord(portal.engine, company, { status: 'SUSPENDED' });
    expect(readError(await getInvoice())).toEqual(SUSPENDED);
    expect(readError(await login())).toEqual(SUSPENDED);
    await changeRecord(portal.engine, company, { status: 'ACTIVE' });
  }
});

// Each change of a record takes effect with the next request of the same process.
it('the checks run in this order: tenant, token, key, company, user, session, limit, supplier, permission, input, invoice', async () => {
  proves('auth/tenant', 'auth/rule-1/missing-tenant', 'common/tenant', 'headers/tenant', 'codes/UNAUTHORIZED/tenant');
  proves('auth/two-credentials', 'auth/rule-4/endpoints', 'service/rule-2', 'common/authorization', 'common/api-key');
  proves('headers/X-API-Key', 'codes/UNAUTHORIZED/token', 'codes/UNAUTHORIZED/api-key', 'codes/UNAUTHORIZED/user');
  proves('codes/COMPANY_SUSPENDED/company', 'codes/FORBIDDEN/supplier', 'auth/rule-2/at-once', 'auth/rule-4/tokens');
  proves('auth/rule-2/deactivated', 'api-key/status');
  const { account, call } = await portal.newCaller();
  const { keys } = account;
  const { engine } = portal;
  for (let count = 0; count < 10; count++) await call('declare-invoice', { body: declaration });
  await changeRecord(engine, keys.apiKey, { status: 'INACTIVE' });
  await changeRecord(engine, keys.company, { status: 'SUSPENDED' });
  const tokensFrom = new Date(NOW + 1_000).toISOString();
  const fields = { active: false, tokens_from: tokensFrom, supplier_id: undefined, permissions: ['OTHER'] };
  await changeRecord(engine, keys.user, fields);
  const request = {
    headers: { tenant: undefined, authorization: 'Bearer x' } as Record<string, undefined | string>,
    body: '{',
  };
  const readNextError = async () => readError(await call('declare-invoice', request)).slice(0, 2);

  expect(readError(await call('declare-invoice', request))).toEqual(NO_TENANT);
  request.headers = { authorization: 'Bearer x', 'x-api-key': undefined };
  expect(readError(await call('declare-invoice', request))).toEqual(BAD_TOKEN);
  request.headers = { 'x-api-key': undefined };
  expect(readError(await call('declare-invoice', request))).toEqual(BAD_KEY);
  request.headers = {};
  expect(readError(await call('declare-invoice', request))).toEqual(BAD_KEY);
  await changeRecord(engine, keys.apiKey, { status: 'ACTIVE' });
  expect(await readNextError()).toEqual([403, 'COMPANY_SUSPENDED']);
  await changeRecord(engine, keys.company, { status: 'ACTIVE' });
  expect(readError(await call('declare-invoice', request))).toEqual(INACTIVE);
  await changeRecord(engine, keys.user, { active: true });
  expect(readError(await call('declare-invoice', request))).toEqual(ENDED);
  await changeRecord(engine, keys.user, { tokens_from: undefined });
  expect(await readNextError()).toEqual([429, 'RATE_LIMITED']);
  vi.setSystemTime(NOW + 60_000);
  expect(readError(await call('declare-invoice', request))).toEqual(NO_SUPPLIER);
  await changeRecord(engine, keys.user, { supplier_id: account.scope.supplierId });
  expect(readError(await call('declare-invoice', request))).toEqual([
    403,
    'FORBIDDEN',
    'The permission APICLI_PORTALPROVEEDOR_WRITE is required.',
  ]);
  await changeRecord(engine, keys.user, { permissions: ['APICLI_PORTALPROVEEDOR_WRITE'] });
  expect(await readNextError()).toEqual([400, 'VALIDATION_ERROR']);
  request.body = JSON.stringify(declaration);
  expect(await readNextError()).toEqual([404, 'NOT_FOUND']);
});
