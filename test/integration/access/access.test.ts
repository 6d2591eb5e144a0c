import { describe, expect, it, vi } from 'vitest';
import type { Answer } from '../../support/answers/answer.ts';
import { usePortal } from '../../support/setup/use-portal.ts';
import { changeRecord, deleteRecord } from '../../support/data/seed.ts';
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
const ENDED = [401, 'UNAUTHORIZED', 'The session has ended. Log in again.'];
const INACTIVE = [401, 'UNAUTHORIZED', 'User is not active'];
const SUSPENDED = [403, 'COMPANY_SUSPENDED', 'The company account is suspended.'];
const NO_SUPPLIER = [403, 'FORBIDDEN', 'This endpoint requires a supplier account.'];

describe('the tenant header', () => {
  it('that is wrong, unknown or of another tenant than the token is UNAUTHORIZED; its case does not matter [headers/tenant] [codes/UNAUTHORIZED/tenant-mismatch]', async () => {
    const { account, call } = await portal.newCaller();
    const stranger = await portal.newCaller();
    for (const tenant of ['unknown.example', stranger.account.scope.tenant]) {
      expect((await call('get-invoice', { path, headers: { tenant } })).body.error?.code).toBe('UNAUTHORIZED');
    }
    const upperCase = { tenant: account.scope.tenant.toUpperCase() };
    expect(errorOf(await call('get-invoice', { path, headers: upperCase }))).toEqual(PASSED);
  });

  it('of a tenant that was removed is UNAUTHORIZED, on a token issued before [headers/tenant] [codes/UNAUTHORIZED/tenant]', async () => {
    const { account, call } = await portal.newCaller();
    await deleteRecord(portal.engine, account.keys.tenant);
    expect((await call('get-invoice', { path })).status).toBe(401);
  });
});

describe('the API key', () => {
  it("of another company of the tenant passes, unless that company is suspended; the case of a key's letters does not matter", async () => {
    const { account, call } = await portal.newCaller({ keyCompany: { name: 'Integrator' } });
    const headers = { 'x-api-key': account.apiKey.toUpperCase() };
    expect(errorOf(await call('get-invoice', { path, headers }))).toEqual(PASSED);
    await changeRecord(portal.engine, account.keys.keyCompany, { status: 'SUSPENDED' });
    expect(errorOf(await call('get-invoice', { path }))).toEqual(SUSPENDED);
  });
});

describe('the order of the checks', () => {
  it('is tenant, token, key, company, user, session, limit, supplier, permission, input, invoice', async () => {
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
    const next = async () => errorOf(await call('declare-invoice', request)).slice(0, 2);

    expect(await next()).toEqual([401, 'UNAUTHORIZED']);
    request.headers = { authorization: 'Bearer x' };
    expect(await next()).toEqual([401, 'UNAUTHORIZED']);
    request.headers = {};
    expect(errorOf(await call('declare-invoice', request))).toEqual(BAD_KEY);
    await changeRecord(engine, keys.apiKey, { status: 'ACTIVE' });
    expect(await next()).toEqual([403, 'COMPANY_SUSPENDED']);
    await changeRecord(engine, keys.company, { status: 'ACTIVE' });
    expect(errorOf(await call('declare-invoice', request))).toEqual(INACTIVE);
    await changeRecord(engine, keys.user, { active: true });
    expect(errorOf(await call('declare-invoice', request))).toEqual(ENDED);
    await changeRecord(engine, keys.user, { tokens_from: undefined });
    expect(await next()).toEqual([429, 'RATE_LIMITED']);
    vi.setSystemTime(NOW + 60_000);
    expect(errorOf(await call('declare-invoice', request))).toEqual(NO_SUPPLIER);
    await changeRecord(engine, keys.user, { supplier_id: account.scope.supplierId });
    expect(errorOf(await call('declare-invoice', request))).toEqual([
      403,
      'FORBIDDEN',
      'The permission APICLI_PORTALPROVEEDOR_WRITE is required.',
    ]);
    await changeRecord(engine, keys.user, { permissions: ['APICLI_PORTALPROVEEDOR_WRITE'] });
    expect(await next()).toEqual([400, 'VALIDATION_ERROR']);
    request.body = JSON.stringify(declaration);
    expect(await next()).toEqual([404, 'NOT_FOUND']);
  });
});
