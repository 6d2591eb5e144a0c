import { describe, expect, it } from 'vitest';
import type { CurrentName } from '../../support/service/handlers.ts';
import { usePortal } from '../../support/setup/use-portal.ts';
import type { AccountOverrides } from '../../support/data/seed.ts';
import { proves } from '../../rules/proves.ts';

const READ = 'APICLI_PORTALPROVEEDOR_READ';
const WRITE = 'APICLI_PORTALPROVEEDOR_WRITE';

// Copied from the interface, so that these tests fail if a contract requires another permission.
const permissions = [
  ['list-invoices', READ],
  ['get-invoice', READ],
  ['validate-amount', READ],
  ['declare-invoice', WRITE],
  ['declare-batch', WRITE],
] as const;
const protectedNames = permissions.map(([name]) => name);
const names = ['login', ...protectedNames] as const;

const portal = usePortal();

/** Sends a request without input, and returns the error. The caller is checked before the input. */
async function readError(name: CurrentName, overrides: AccountOverrides, headers: Record<string, string | undefined>) {
  const { call } = await portal.newCaller(overrides);
  const { status, body } = await call(name, { headers });
  return [status, body.error?.code, body.error?.message];
}

describe('every endpoint', () => {
  it.each(names)('%s requires the tenant header', async (name) => {
    proves('auth/tenant', 'auth/rule-1/missing-tenant', 'common/tenant', 'headers/tenant', 'codes/UNAUTHORIZED/tenant');
    expect(await readError(name, {}, { tenant: undefined })).toEqual([
      401,
      'UNAUTHORIZED',
      'The tenant header is required.',
    ]);
  });
});

describe('every protected endpoint', () => {
  const NO_TOKEN = [401, 'UNAUTHORIZED', 'The access token is missing or invalid.'];
  const NO_KEY = [401, 'UNAUTHORIZED', 'The API key is missing or not valid.'];
  const INACTIVE = [401, 'UNAUTHORIZED', 'User is not active'];
  const SUSPENDED = [403, 'COMPANY_SUSPENDED', 'The company account is suspended.'];
  const NO_SUPPLIER = [403, 'FORBIDDEN', 'This endpoint requires a supplier account.'];

  it.each(protectedNames)(
    '%s requires a token, a key, an active user, a company that is not suspended, and a supplier account',
    async (name) => {
      proves('auth/two-credentials', 'auth/rule-4/endpoints', 'service/rule-2', 'common/authorization');
      proves('common/api-key', 'headers/Authorization', 'headers/X-API-Key', 'codes/UNAUTHORIZED/token');
      proves('codes/UNAUTHORIZED/api-key', 'codes/UNAUTHORIZED/user', 'codes/COMPANY_SUSPENDED/company');
      proves('codes/FORBIDDEN/supplier');
      expect(await readError(name, {}, { authorization: undefined })).toEqual(NO_TOKEN);
      expect(await readError(name, {}, { authorization: 'Bearer a.b.c' })).toEqual(NO_TOKEN);
      expect(await readError(name, {}, { 'x-api-key': undefined })).toEqual(NO_KEY);
      expect(await readError(name, { apiKey: { status: 'INACTIVE' } }, {})).toEqual(NO_KEY);
      expect(await readError(name, { user: { active: false } }, {})).toEqual(INACTIVE);
      expect(await readError(name, { company: { status: 'SUSPENDED' } }, {})).toEqual(SUSPENDED);
      expect(await readError(name, { supplier: null }, {})).toEqual(NO_SUPPLIER);
    },
  );

  it.each(permissions)(
    '%s requires the permission %s, and rejects a user with only the other permission',
    async (name, permission) => {
      proves(`${name}/permission`, 'auth/rule-3', 'codes/FORBIDDEN/permission');
      const other = permission === READ ? WRITE : READ;
      const forbidden = [403, 'FORBIDDEN', `The permission ${permission} is required.`];
      expect(await readError(name, { user: { permissions: [other] } }, {})).toEqual(forbidden);
      const accepted = await readError(name, { user: { permissions: [permission] } }, {});
      expect(accepted[0]).not.toBe(403);
    },
  );
});
