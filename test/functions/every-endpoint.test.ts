import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contracts } from '../../lib/contracts/contracts.ts';
import type { CurrentName } from '../support/handlers.ts';
import { type Portal, startPortal } from '../support/portal.ts';
import type { AccountOverrides } from '../support/seed.ts';

// The legacy route has its credentials in the body, and tests of its own.
const current = contracts.filter(({ name }) => name !== 'legacy-dispatch');
const names = current.map(({ name }) => name as CurrentName);
const protectedNames = names.filter((name) => name !== 'login');

let portal: Portal;
beforeAll(async () => {
  portal = await startPortal();
});
afterAll(() => portal.close());

/** Sends a request without any input: what is wrong with the caller must be found before that. */
async function refusal(name: CurrentName, overrides: AccountOverrides, headers: Record<string, string | undefined>) {
  const { call } = await portal.newCaller(overrides);
  const { status, body } = await call(name, { headers });
  return [status, body.error?.code, body.error?.message];
}

describe('every endpoint', () => {
  it.each(names)('requires the tenant header: %s', async (name) => {
    expect(await refusal(name, {}, { tenant: undefined })).toEqual([
      401,
      'UNAUTHORIZED',
      'The tenant header is required.',
    ]);
  });
});

describe('every protected endpoint', () => {
  it.each(protectedNames)('requires an access token: %s', async (name) => {
    const invalid = [401, 'UNAUTHORIZED', 'The access token is missing or invalid.'];
    expect(await refusal(name, {}, { authorization: undefined })).toEqual(invalid);
    expect(await refusal(name, {}, { authorization: 'Bearer a.b.c' })).toEqual(invalid);
  });

  it.each(protectedNames)('requires a valid API key: %s', async (name) => {
    const invalid = [401, 'UNAUTHORIZED', 'The API key is missing or not valid.'];
    expect(await refusal(name, {}, { 'x-api-key': undefined })).toEqual(invalid);
    expect(await refusal(name, { apiKey: { status: 'INACTIVE' } }, {})).toEqual(invalid);
  });

  it.each(protectedNames)('requires an active user: %s', async (name) => {
    expect(await refusal(name, { user: { active: false } }, {})).toEqual([401, 'UNAUTHORIZED', 'User is not active']);
  });

  it.each(protectedNames)('is closed to a suspended company: %s', async (name) => {
    const suspended = [403, 'COMPANY_SUSPENDED', 'The company account is suspended.'];
    expect(await refusal(name, { company: { status: 'SUSPENDED' } }, {})).toEqual(suspended);
  });

  it.each(protectedNames)('requires a supplier account: %s', async (name) => {
    const forbidden = [403, 'FORBIDDEN', 'This endpoint requires a supplier account.'];
    expect(await refusal(name, { supplier: null }, {})).toEqual(forbidden);
  });

  it.each(current.flatMap(({ name, access }) => (access ? [[name, access] as const] : [])))(
    'requires its permission: %s, %s',
    async (name, access) => {
      const permission = `APICLI_PORTALPROVEEDOR_${access.toUpperCase()}`;
      const other = `APICLI_PORTALPROVEEDOR_${access === 'read' ? 'WRITE' : 'READ'}`;
      const forbidden = [403, 'FORBIDDEN', `The permission ${permission} is required.`];
      expect(await refusal(name as CurrentName, { user: { permissions: [other] } }, {})).toEqual(forbidden);
      const admitted = await refusal(name as CurrentName, { user: { permissions: [permission] } }, {});
      expect(admitted[0]).not.toBe(403);
    },
  );
});
