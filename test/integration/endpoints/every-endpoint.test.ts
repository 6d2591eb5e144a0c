import { describe, expect, it } from 'vitest';
import type { CurrentName } from '../../support/service/handlers.ts';
import { usePortal } from '../../support/setup/use-portal.ts';
import type { AccountOverrides } from '../../support/data/seed.ts';

const READ = 'APICLI_PORTALPROVEEDOR_READ';
const WRITE = 'APICLI_PORTALPROVEEDOR_WRITE';

// Written down from the interface, so that a contract with another permission does not bring its own proof along.
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

/** Sends a request without any input: what is wrong with the caller must be found before that. */
async function refusal(name: CurrentName, overrides: AccountOverrides, headers: Record<string, string | undefined>) {
  const { call } = await portal.newCaller(overrides);
  const { status, body } = await call(name, { headers });
  return [status, body.error?.code, body.error?.message];
}

describe('every endpoint', () => {
  it.each(names)(
    'requires the tenant header: %s [auth/tenant] [auth/rule-1/missing-tenant] [common/tenant] [headers/tenant] [codes/UNAUTHORIZED/tenant]',
    async (name) => {
      expect(await refusal(name, {}, { tenant: undefined })).toEqual([
        401,
        'UNAUTHORIZED',
        'The tenant header is required.',
      ]);
    },
  );
});

describe('every protected endpoint', () => {
  const NO_TOKEN = [401, 'UNAUTHORIZED', 'The access token is missing or invalid.'];
  const NO_KEY = [401, 'UNAUTHORIZED', 'The API key is missing or not valid.'];
  const INACTIVE = [401, 'UNAUTHORIZED', 'User is not active'];
  const SUSPENDED = [403, 'COMPANY_SUSPENDED', 'The company account is suspended.'];
  const NO_SUPPLIER = [403, 'FORBIDDEN', 'This endpoint requires a supplier account.'];

  it.each(protectedNames)(
    'requires token, key, active user, company that is not suspended, and supplier account: %s [auth/two-credentials] [auth/rule-4/endpoints] [service/rule-2] [common/authorization] [common/api-key] [headers/Authorization] [headers/X-API-Key] [codes/UNAUTHORIZED/token] [codes/UNAUTHORIZED/api-key] [codes/UNAUTHORIZED/user] [codes/COMPANY_SUSPENDED/company] [codes/FORBIDDEN/supplier]',
    async (name) => {
      expect(await refusal(name, {}, { authorization: undefined })).toEqual(NO_TOKEN);
      expect(await refusal(name, {}, { authorization: 'Bearer a.b.c' })).toEqual(NO_TOKEN);
      expect(await refusal(name, {}, { 'x-api-key': undefined })).toEqual(NO_KEY);
      expect(await refusal(name, { apiKey: { status: 'INACTIVE' } }, {})).toEqual(NO_KEY);
      expect(await refusal(name, { user: { active: false } }, {})).toEqual(INACTIVE);
      expect(await refusal(name, { company: { status: 'SUSPENDED' } }, {})).toEqual(SUSPENDED);
      expect(await refusal(name, { supplier: null }, {})).toEqual(NO_SUPPLIER);
    },
  );

  it.each(permissions)(
    '%s requires %s, and the other permission does not do [$0/permission] [auth/rule-3] [codes/FORBIDDEN/permission]',
    async (name, permission) => {
      const other = permission === READ ? WRITE : READ;
      const forbidden = [403, 'FORBIDDEN', `The permission ${permission} is required.`];
      expect(await refusal(name, { user: { permissions: [other] } }, {})).toEqual(forbidden);
      const admitted = await refusal(name, { user: { permissions: [permission] } }, {});
      expect(admitted[0]).not.toBe(403);
    },
  );
});
