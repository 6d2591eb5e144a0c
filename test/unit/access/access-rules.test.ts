import { describe, expect, it } from 'vitest';
import {
  hashApiKey,
  isExpiringSoon,
  nextTokenCutoff,
  requireActiveUser,
  requireApiKey,
  requireOpenSession,
  requireSupplier,
} from '../../../lib/access/access-rules.ts';
import { type AccessSnapshot, type ApiKey, PERMISSIONS, type User } from '../../../lib/domain/directory.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { proves } from '../../rules/proves.ts';
import type { RuleId } from '../../rules/rules.ts';

const NOW = new Date('2026-07-01T10:00:00.000Z');
const tenantTolerance = { mode: 'ABS', pct: null, abs: decimal(10), autoApprove: false } as const;
const supplierTolerance = { mode: 'PCT', pct: decimal(5), abs: null, autoApprove: true } as const;

const user: User = {
  ...{ userId: '77', companyId: '5', supplierId: '9', email: 'ana@demo.example', permissions: [PERMISSIONS.read] },
  ...{ isActive: true, hasActiveLicense: true, expiresAt: null, tokensNotBeforeMs: 0, playerIds: [] },
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
/** Checks the API key and then the user, in the same order as every supplier endpoint. */
function identify(changes: Partial<AccessSnapshot>): User {
  const current = { ...snapshot, ...changes };
  requireApiKey(current, 'demo.example', NOW);
  return requireActiveUser(current, NOW);
}
const error = (code: string, message: string, reason?: string) => expect.objectContaining({ code, message, reason });

const BAD_TENANT = error('UNAUTHORIZED', 'The tenant is not valid.');
const BAD_KEY = error('UNAUTHORIZED', 'The API key is missing or not valid.');
const SUSPENDED = error('COMPANY_SUSPENDED', 'The company account is suspended.');
const NO_SUPPLIER = error('FORBIDDEN', 'This endpoint requires a supplier account.', 'no-supplier');
const INACTIVE = error('UNAUTHORIZED', 'User is not active', 'inactive-user');

const unusableKeys: readonly (readonly [problem: string, key: ApiKey | null, rule: RuleId])[] = [
  ['does not exist', null, 'codes/UNAUTHORIZED/api-key'],
  ['belongs to another tenant', { ...apiKey, tenant: 'other.example' }, 'api-key/tenant'],
  ['has another scope', { ...apiKey, scope: 'TELEMETRY' }, 'api-key/scope'],
  ['has no scope', { ...apiKey, scope: '' }, 'api-key/scope'],
  ['is inactive', { ...apiKey, status: 'INACTIVE' }, 'api-key/status'],
  ['is not valid yet', { ...apiKey, validFrom: '2026-07-01T10:00:00.001Z' }, 'api-key/time-window'],
  ['has expired', { ...apiKey, validUntil: '2026-07-01T09:59:59.999Z' }, 'api-key/time-window'],
];

it.each([
  ['neither ends within 14 days', { apiKey: { ...apiKey, validUntil: '2026-07-15T10:00:00.001Z' } }, false],
  ['the API key ends within 14 days', { apiKey: { ...apiKey, validUntil: '2026-07-15T10:00:00.000Z' } }, true],
  ['the user ends within 14 days', withUser({ expiresAt: '2026-07-02T00:00:00.000Z' }), true],
  ['the user ends later', withUser({ expiresAt: '2026-08-02T00:00:00.000Z' }), false],
])('the credentials of a request expire soon or not: %s', (_, changes, expected) => {
  expect(isExpiringSoon({ ...snapshot, ...changes }, NOW)).toBe(expected);
});

describe('the checks of an identity', () => {
  it('the checks of an identity return the user if all pass', () => {
    expect(identify({})).toBe(user);
  });

  it.each(['validFrom', 'validUntil'])('accepts an API key at the exact instant of its %s', (end) => {
    proves('api-key/time-window');
    expect(identify({ apiKey: { ...apiKey, [end]: NOW.toISOString() } })).toBe(user);
  });

  const suspend = (companyId: string) => ({ companyId, status: 'SUSPENDED' }) as const;
  type Case = [problem: string, Partial<AccessSnapshot>, error: Error, rule: RuleId];
  it.each<Case>([
    ['the tenant does not exist', { tenant: null }, BAD_TENANT, 'codes/UNAUTHORIZED/tenant'],
    ...unusableKeys.map(([problem, key, rule]): Case => [`the API key ${problem}`, { apiKey: key }, BAD_KEY, rule]),
    ['the user is deactivated', withUser({ isActive: false }), INACTIVE, 'auth/rule-2/deactivated'],
    ['the license of the user is off', withUser({ hasActiveLicense: false }), INACTIVE, 'auth/rule-2/license'],
    ['the expiry of the user has passed', withUser({ expiresAt: NOW.toISOString() }), INACTIVE, 'auth/rule-2/expiry'],
    ['the user has no permissions', withUser({ permissions: [] }), INACTIVE, 'auth/rule-2/permissions'],
    ['the user does not exist', { user: null, userCompany: null }, INACTIVE, 'codes/UNAUTHORIZED/user'],
    ["the key's company is suspended", { keyCompany: suspend('6') }, SUSPENDED, 'codes/COMPANY_SUSPENDED/company'],
    ["the key's company does not exist", { keyCompany: null }, SUSPENDED, 'codes/COMPANY_SUSPENDED/company'],
    ["the user's company is suspended", { userCompany: suspend('5') }, SUSPENDED, 'codes/COMPANY_SUSPENDED/company'],
    ["the user's company does not exist", { userCompany: null }, SUSPENDED, 'codes/COMPANY_SUSPENDED/company'],
    [
      "the supplier's company is suspended",
      { supplierCompany: suspend('7') },
      SUSPENDED,
      'codes/COMPANY_SUSPENDED/company',
    ],
    ["the supplier's company does not exist", { supplierCompany: null }, SUSPENDED, 'codes/COMPANY_SUSPENDED/company'],
  ])('rejects a request if %s', (_problem, changes, expected, rule) => {
    proves(rule);
    expect(() => identify(changes)).toThrow(expected);
  });

  it('accepts a user one millisecond before its expiry', () => {
    proves('auth/rule-2/expiry');
    expect(identify(withUser({ expiresAt: '2026-07-01T10:00:00.001Z' })).userId).toBe('77');
  });
});

it('hashApiKey returns the same SHA-256 hash for an API key in upper case and in lower case', () => {
  const hash = '7a3e217212e3108e9e818c4a8d7763546ff512795ba025c214d846720d1500eb';
  for (const key of ['0B1F7A3E-6C1D-4E0A-9C38-0F6B7D3B9A11', '0b1f7a3e-6c1d-4e0a-9c38-0f6b7d3b9a11'])
    expect(hashApiKey(key)).toBe(hash);
});

it.each([
  ['no previous cutoff', undefined, '2026-07-01T10:00:00.001Z'],
  ['a previous cutoff', '2026-07-01T09:00:00.000Z', '2026-07-01T10:00:00.001Z'],
  ['a previous cutoff in the same millisecond', '2026-07-01T10:00:00.001Z', '2026-07-01T10:00:00.002Z'],
  ['a clock that was set back after the previous cutoff', '2026-07-01T11:00:00.000Z', '2026-07-01T11:00:00.001Z'],
])('nextTokenCutoff returns a time later than now and than the previous cutoff: %s', (_case, previous, expected) => {
  expect(nextTokenCutoff(NOW, previous)).toBe(expected);
});

const nowMs = NOW.getTime();
it.each([
  ['was issued with an earlier cutoff', nowMs, nowMs - 1, true],
  ['was issued with the current cutoff, even before it', nowMs + 1, nowMs + 1, false],
  ['was issued with a later cutoff', nowMs, nowMs + 1, true],
])(
  'requireOpenSession rejects only a token of an ended session: a token that %s',
  (_case, cutoffMs, tokensNotBeforeMs, isRevoked) => {
    proves('codes/UNAUTHORIZED/token');
    const check = () => requireOpenSession({ tokensNotBeforeMs: cutoffMs }, { tokensNotBeforeMs });
    if (!isRevoked) expect(check).not.toThrow();
    else expect(check).toThrow(error('UNAUTHORIZED', 'The session has ended. Log in again.'));
  },
);

describe('requireSupplier', () => {
  const requireReader = (changes: Partial<AccessSnapshot>, caller = user) =>
    requireSupplier({ ...snapshot, ...changes }, caller, 'demo.example', 'read');

  it("requireSupplier returns the caller with the scope of its supplier, and the supplier's tolerance or else the tenant's", () => {
    const caller = { userId: '77', scope: { tenant: 'demo.example', supplierId: '9' } };
    expect(requireReader({})).toEqual({ ...caller, tolerance: { ...tenantTolerance, source: 'global' } });
    const supplier = { supplierId: '9', companyId: '5', tolerance: supplierTolerance };
    expect(requireReader({ supplier }).tolerance).toEqual({ ...supplierTolerance, source: 'proveedor' });
  });

  it('requireSupplier rejects a user without a supplier of its company before it checks the permission', () => {
    proves('service/rule-2');
    const foreign = { supplierId: '9', companyId: '7', tolerance: null };
    for (const supplier of [null, foreign])
      expect(() => requireReader({ supplier }, { ...user, permissions: ['OTHER'] })).toThrow(NO_SUPPLIER);
  });

  it.each([
    ['read', 'APICLI_PORTALPROVEEDOR_READ', 'APICLI_PORTALPROVEEDOR_WRITE'],
    ['write', 'APICLI_PORTALPROVEEDOR_WRITE', 'APICLI_PORTALPROVEEDOR_READ'],
  ] as const)('requireSupplier requires for %s access only the permission %s', (kind, needed, other) => {
    const check = (permissions: string[]) => requireSupplier(snapshot, { ...user, permissions }, 'demo.example', kind);
    expect(check([needed]).userId).toBe('77');
    const missingPermission = error('FORBIDDEN', `The permission ${needed} is required.`, 'missing-permission');
    expect(() => check([other])).toThrow(missingPermission);
  });
});
