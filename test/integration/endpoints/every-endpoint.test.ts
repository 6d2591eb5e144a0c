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
  ['get-history', READ],
  ['validate-amount', READ],
  ['declare-invoice', WRITE],
  ['declare-batch', WRITE],
] as const;

const portal = usePortal();

/** Sends a request without input, and returns the error. The caller is checked before the input. */
async function readError(name: CurrentName, overrides: AccountOverrides, headers: Record<string, string | undefined>) {
  const { call } = await portal.newCaller(overrides);
  const { status, body } = await call(name, { headers });
  return [status, body.error?.code, body.error?.message];
}

const NO_TOKEN = [401, 'UNAUTHORIZED', 'The access token is missing or invalid.'];

// All these endpoints have the same chain. The tests of access check its other steps at one endpoint.
describe('every protected endpoint', () => {
  it.each(permissions)(
    '%s requires a token and the permission %s, and rejects a user with only the other permission',
    async (name, permission) => {
      proves(`${name}/permission`, 'auth/rule-3', 'codes/FORBIDDEN/permission', 'auth/two-credentials');
      proves('common/authorization', 'headers/Authorization');
      expect(await readError(name, {}, { authorization: undefined })).toEqual(NO_TOKEN);
      const other = permission === READ ? WRITE : READ;
      const forbidden = [403, 'FORBIDDEN', `The permission ${permission} is required.`];
      expect(await readError(name, { user: { permissions: [other] } }, {})).toEqual(forbidden);
      const accepted = await readError(name, { user: { permissions: [permission] } }, {});
      expect(accepted[0]).not.toBe(403);
    },
  );
});
