import { describe, expect, it } from 'vitest';
import {
  hashApiKey,
  nextTokenCutoff,
  requireActiveUser,
  requireApiKey,
  requireOpenSession,
  requireSupplier,
} from '../../../lib/access/access-rules.ts';
import { type AccessSnapshot, type ApiKey, PERMISSIONS, type User } from '../../../lib/domain/directory.ts';
import { decimal } from '../../../lib/domain/money.ts';

const NOW = new Date('2026-07-01T10:00:00.000Z');
const tenantTolerance = { mode: 'ABS', pct: null, abs: decimal(10), autoApprove: false } as const;
const supplierTolerance = { mode: 'PCT', pct: decimal(5), abs: null, autoApprove: true } as const;

const user: User = {
  ...{ userId: '77', companyId: '5', supplierId: '9', email: 'ana@demo.example', permissions: [PERMISSIONS.read] },
  ...{ active: true, licenseActive: true, expiresAt: null, tokensNotBeforeMs: 0, playerIds: [] },
};
const apiKey: ApiKey = {
  ...{ tenant: 'demo.example', companyId: '6', scope: 'SUPPLIER_PORTAL', status: 'ACTIVE', last4: 'a001' },
  ...{ validFrom: '2026-01-01T00:00:00.000Z', validUntil: '2026-12-31T23:59:59.999Z' },
};
const snapshot: AccessSnapshot = {
  tenant: { tenant: 'demo.example', tolerance: tenantTolerance },
  ...{ apiKey, keyCompany: { companyId: '6', status: 'ACTIVE' } },
  ...{ user, userCompany: { companyId: '5', status: 'ACTIVE' } },
  supplier: { supplierId: '9', companyId: '5', tolerance: null },
  supplierCompany: { companyId: '5', status: 'ACTIVE' },
};

const withUser = (changes: Partial<User>) => ({ user: { ...user, ...changes } });
/** As the chain of every endpoint of a supplier asks: for the key, and then for the user. */
function identify(changes: Partial<AccessSnapshot>): User {
  const changed = { ...snapshot, ...changes };
  requireApiKey(changed, 'demo.example', NOW);
  return requireActiveUser(changed, NOW);
}
const error = (code: string, message: string, reason?: string) => expect.objectContaining({ code, message, reason });

const BAD_TENANT = error('UNAUTHORIZED', 'The tenant is not valid.');
const BAD_KEY = error('UNAUTHORIZED', 'The API key is missing or not valid.');
const SUSPENDED = error('COMPANY_SUSPENDED', 'The company account is suspended.');
const NO_SUPPLIER = error('FORBIDDEN', 'This endpoint requires a supplier account.', 'no-supplier');
const INACTIVE = error('UNAUTHORIZED', 'User is not active', 'inactive-user');

const unusableKeys: readonly (readonly [fault: string, key: ApiKey | null, rule: string])[] = [
  ['does not exist', null, 'codes/UNAUTHORIZED/api-key'],
  ['belongs to another tenant', { ...apiKey, tenant: 'other.example' }, 'api-key/tenant'],
  ['has another scope', { ...apiKey, scope: 'TELEMETRY' }, 'api-key/scope'],
  ['has no scope', { ...apiKey, scope: '' }, 'api-key/scope'],
  ['is inactive', { ...apiKey, status: 'INACTIVE' }, 'api-key/status'],
  ['is not valid yet', { ...apiKey, validFrom: '2026-07-01T10:00:00.001Z' }, 'api-key/time-window'],
  ['is not valid any more', { ...apiKey, validUntil: '2026-07-01T09:59:59.999Z' }, 'api-key/time-window'],
];

describe('an identity', () => {
  it('is the user when every check passes', () => {
    expect(identify({})).toBe(user);
  });

  it.each(['validFrom', 'validUntil'])(
    'holds at the very instant of %s of its API key [api-key/time-window]',
    (end) => {
      expect(identify({ apiKey: { ...apiKey, [end]: NOW.toISOString() } })).toBe(user);
    },
  );

  const suspended = (companyId: string) => ({ companyId, status: 'SUSPENDED' }) as const;
  type Refusal = [fault: string, Partial<AccessSnapshot>, refusal: Error, rule: string];
  it.each<Refusal>([
    ...unusableKeys.map(([fault, key, rule]): Refusal => [`the API key ${fault}`, { apiKey: key }, BAD_KEY, rule]),
    ['the user is deactivated', withUser({ active: false }), INACTIVE, 'auth/rule-2/deactivated'],
    ['the user has its license off', withUser({ licenseActive: false }), INACTIVE, 'auth/rule-2/license'],
    ['the user has passed its expiry date', withUser({ expiresAt: NOW.toISOString() }), INACTIVE, 'auth/rule-2/expiry'],
    ['the user has no permission left', withUser({ permissions: [] }), INACTIVE, 'auth/rule-2/permissions'],
    ['the user does not exist', { user: null, userCompany: null }, INACTIVE, 'codes/UNAUTHORIZED/user'],
    ["the key's company is suspended", { keyCompany: suspended('6') }, SUSPENDED, 'codes/COMPANY_SUSPENDED/company'],
    ["the key's company does not exist", { keyCompany: null }, SUSPENDED, 'codes/COMPANY_SUSPENDED/company'],
    ["the user's company is suspended", { userCompany: suspended('5') }, SUSPENDED, 'codes/COMPANY_SUSPENDED/company'],
    ["the user's company does not exist", { userCompany: null }, SUSPENDED, 'codes/COMPANY_SUSPENDED/company'],
    ["the supplier's is suspended", { supplierCompany: suspended('7') }, SUSPENDED, 'codes/COMPANY_SUSPENDED/company'],
    ["the supplier's does not exist", { supplierCompany: null }, SUSPENDED, 'codes/COMPANY_SUSPENDED/company'],
  ])('is refused when %s [$3]', (_fault, changes, refusal) => {
    expect(() => identify(changes)).toThrow(refusal);
  });

  it('holds until the very expiry of the user [auth/rule-2/expiry]', () => {
    expect(identify(withUser({ expiresAt: '2026-07-01T10:00:00.001Z' })).userId).toBe('77');
  });

  it('is checked in this order: tenant, API key, companies, user', () => {
    const keyCompany = suspended('6');
    const inactive = withUser({ active: false });
    expect(() => identify({ tenant: null, apiKey: null, keyCompany, ...inactive })).toThrow(BAD_TENANT);
    expect(() => identify({ apiKey: null, keyCompany, ...inactive })).toThrow(BAD_KEY);
    expect(() => identify({ keyCompany, ...inactive })).toThrow(SUSPENDED);
    expect(() => identify({ userCompany: suspended('5'), ...inactive })).toThrow(SUSPENDED);
    expect(() => identify(inactive)).toThrow(INACTIVE);
  });
});

it('an API key is hashed with SHA-256, whatever the case of its letters', () => {
  const hash = '7a3e217212e3108e9e818c4a8d7763546ff512795ba025c214d846720d1500eb';
  for (const key of ['0B1F7A3E-6C1D-4E0A-9C38-0F6B7D3B9A11', '0b1f7a3e-6c1d-4e0a-9c38-0f6b7d3b9a11'])
    expect(hashApiKey(key)).toBe(hash);
});

describe('the sessions of a user', () => {
  it.each([
    ['no earlier end', undefined, '2026-07-01T10:00:00.001Z'],
    ['an earlier end', '2026-07-01T09:00:00.000Z', '2026-07-01T10:00:00.001Z'],
    ['an earlier end in the same millisecond', '2026-07-01T10:00:00.001Z', '2026-07-01T10:00:00.002Z'],
    ['a clock that was set back after the earlier end', '2026-07-01T11:00:00.000Z', '2026-07-01T11:00:00.001Z'],
  ])('end with a cutoff after now and after the earlier cutoff: %s', (_case, before, expected) => {
    expect(nextTokenCutoff(NOW, before)).toBe(expected);
  });

  const nowMs = NOW.getTime();
  it.each([
    ['was issued with an earlier cutoff', nowMs, nowMs - 1, true],
    ['was issued with the current cutoff, whatever its time of issue', nowMs + 1, nowMs + 1, false],
    ['was issued with a later cutoff', nowMs, nowMs + 1, true],
    ['is of version 1.0.0 and was issued at the cutoff', nowMs, undefined, false],
    ['is of version 1.0.0 and was issued before the cutoff', nowMs + 1, undefined, true],
  ])('are checked for a token that %s [codes/UNAUTHORIZED/token]', (_case, cutoffMs, tokensNotBeforeMs, isRevoked) => {
    const check = () =>
      requireOpenSession({ tokensNotBeforeMs: cutoffMs }, { issuedAtSeconds: nowMs / 1000, tokensNotBeforeMs });
    if (!isRevoked) expect(check).not.toThrow();
    else expect(check).toThrow(error('UNAUTHORIZED', 'The session has ended. Log in again.'));
  });
});

it('a user who logs in needs no API key', () => {
  expect(requireActiveUser({ ...snapshot, apiKey: null, keyCompany: null }, NOW)).toBe(user);
});

describe('a supplier account', () => {
  const requireReader = (changes: Partial<AccessSnapshot>, caller = user) =>
    requireSupplier({ ...snapshot, ...changes }, caller, 'demo.example', 'read');

  it("is the caller, within the supplier's own invoices, under its own tolerance before the tenant's", () => {
    const caller = { userId: '77', scope: { tenant: 'demo.example', supplierId: '9' } };
    expect(requireReader({})).toEqual({ ...caller, tolerance: { ...tenantTolerance, source: 'global' } });
    const supplier = { supplierId: '9', companyId: '5', tolerance: supplierTolerance };
    expect(requireReader({ supplier }).tolerance).toEqual({ ...supplierTolerance, source: 'proveedor' });
  });

  it('is required, of the company of the user, before its permission [service/rule-2]', () => {
    const foreign = { supplierId: '9', companyId: '7', tolerance: null };
    for (const supplier of [null, foreign])
      expect(() => requireReader({ supplier }, { ...user, permissions: ['OTHER'] })).toThrow(NO_SUPPLIER);
  });

  it.each([
    ['read', 'APICLI_PORTALPROVEEDOR_READ', 'APICLI_PORTALPROVEEDOR_WRITE'],
    ['write', 'APICLI_PORTALPROVEEDOR_WRITE', 'APICLI_PORTALPROVEEDOR_READ'],
  ] as const)('needs for %s access the permission %s, and no other', (kind, needed, other) => {
    const check = (permissions: string[]) => requireSupplier(snapshot, { ...user, permissions }, 'demo.example', kind);
    expect(check([needed]).userId).toBe('77');
    const refusal = error('FORBIDDEN', `The permission ${needed} is required.`, 'missing-permission');
    expect(() => check([other])).toThrow(refusal);
  });
});
