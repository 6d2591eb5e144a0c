import { describe, expect, it } from 'vitest';
import {
  isOwnKey,
  requireActiveUser,
  requireApiKey,
  requireOpenSession,
  requireSupplier,
} from '../../../lib/auth/access-rules.ts';
import { type AccessSnapshot, type ApiKey, PERMISSIONS, type User } from '../../../lib/domain/directory.ts';
import { decimal } from '../../../lib/domain/money.ts';

const NOW = new Date('2026-07-01T10:00:00.000Z');
const tenantTolerance = { mode: 'ABS', pct: null, abs: decimal(10), autoApprove: false } as const;
const supplierTolerance = { mode: 'PCT', pct: decimal(5), abs: null, autoApprove: true } as const;

const user: User = {
  userId: '77',
  companyId: '5',
  supplierId: '9',
  email: 'ana@demo.example',
  permissions: [PERMISSIONS.read],
  active: true,
  licenseActive: true,
  expiresAt: null,
  tokensFromMs: 0,
  playerIds: [],
};
const apiKey: ApiKey = {
  tenant: 'demo.example',
  companyId: '6',
  scope: 'SUPPLIER_PORTAL',
  status: 'ACTIVE',
  validFrom: '2026-01-01T00:00:00.000Z',
  validUntil: '2026-12-31T23:59:59.999Z',
  last4: 'a001',
};
const snapshot: AccessSnapshot = {
  tenant: { tenant: 'demo.example', tolerance: tenantTolerance },
  apiKey,
  keyCompany: { companyId: '6', status: 'ACTIVE' },
  user,
  userCompany: { companyId: '5', status: 'ACTIVE' },
  supplier: { supplierId: '9', companyId: '5', tolerance: null },
  supplierCompany: { companyId: '5', status: 'ACTIVE' },
};

const withKey = (changes: Partial<ApiKey>) => ({ apiKey: { ...apiKey, ...changes } });
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

describe('an identity', () => {
  it('is the user when every check passes', () => {
    expect(identify({})).toBe(user);
  });

  it.each<[string, Partial<AccessSnapshot>, string]>([
    ['does not exist', { apiKey: null }, 'codes/UNAUTHORIZED/api-key'],
    ['belongs to another tenant', withKey({ tenant: 'other.example' }), 'api-key/tenant'],
    ['has another scope', withKey({ scope: 'TELEMETRY' }), 'api-key/scope'],
    ['has no scope', withKey({ scope: '' }), 'api-key/scope'],
    ['is inactive', withKey({ status: 'INACTIVE' }), 'api-key/status'],
    ['is not valid yet', withKey({ validFrom: '2026-07-01T10:00:00.001Z' }), 'api-key/time-window'],
    ['is not valid any more', withKey({ validUntil: '2026-07-01T09:59:59.999Z' }), 'api-key/time-window'],
  ])('is refused when the API key %s [$2]', (_fault, changes) => {
    expect(() => identify(changes)).toThrow(BAD_KEY);
  });

  it.each<[string, Partial<AccessSnapshot>]>([
    ['first', withKey({ validFrom: NOW.toISOString() })],
    ['last', withKey({ validUntil: NOW.toISOString() })],
  ])('holds at the %s instant of the API key [api-key/time-window]', (_instant, changes) => {
    expect(identify(changes)).toBe(user);
  });

  it.each<[string, Partial<AccessSnapshot>, string]>([
    ['is deactivated', withUser({ active: false }), 'auth/rule-2/deactivated'],
    ['has its license off', withUser({ licenseActive: false }), 'auth/rule-2/license'],
    ['has passed its expiry date', withUser({ expiresAt: NOW.toISOString() }), 'auth/rule-2/expiry'],
    ['has no permission left', withUser({ permissions: [] }), 'auth/rule-2/permissions'],
    ['does not exist', { user: null, userCompany: null }, 'codes/UNAUTHORIZED/user'],
  ])('is refused when the user %s [$2]', (_fault, changes) => {
    expect(() => identify(changes)).toThrow(INACTIVE);
  });

  it('holds until the very expiry of the user [auth/rule-2/expiry]', () => {
    expect(identify(withUser({ expiresAt: '2026-07-01T10:00:00.001Z' })).userId).toBe('77');
  });

  it.each<[string, Partial<AccessSnapshot>]>([
    ["the key's company is suspended", { keyCompany: { companyId: '6', status: 'SUSPENDED' } }],
    ["the key's company does not exist", { keyCompany: null }],
    ["the user's company is suspended", { userCompany: { companyId: '5', status: 'SUSPENDED' } }],
    ["the user's company does not exist", { userCompany: null }],
    ["the supplier's company is suspended", { supplierCompany: { companyId: '7', status: 'SUSPENDED' } }],
    ["the supplier's company does not exist", { supplierCompany: null }],
  ])('is refused when %s [codes/COMPANY_SUSPENDED/company]', (_fault, changes) => {
    expect(() => identify(changes)).toThrow(SUSPENDED);
  });

  it('is checked in this order: tenant, API key, companies, user', () => {
    const everythingWrong: AccessSnapshot = {
      ...snapshot,
      tenant: null,
      apiKey: null,
      keyCompany: { companyId: '6', status: 'SUSPENDED' },
      ...withUser({ active: false }),
    };
    expect(() => identify(everythingWrong)).toThrow(BAD_TENANT);
    expect(() => identify({ ...everythingWrong, tenant: snapshot.tenant })).toThrow(BAD_KEY);
    expect(() => identify({ ...everythingWrong, tenant: snapshot.tenant, apiKey })).toThrow(SUSPENDED);
    expect(() => identify(withUser({ active: false }))).toThrow(INACTIVE);
  });
});

describe('an API key of the account that somebody claims', () => {
  const reference = { tenant: 'demo.example', userId: '77', companyId: '6', supplierId: null };
  const account = { tenant: 'demo.example', loginName: 'ana', user: reference, isUsername: false };

  it('is usable, and of the company of its user; a name that nobody has is of any company', () => {
    expect(isOwnKey(apiKey, account, NOW)).toBe(true);
    expect(isOwnKey(apiKey, { ...account, user: null }, NOW)).toBe(true);
    expect(isOwnKey(apiKey, { ...account, user: { ...reference, companyId: '5' } }, NOW)).toBe(false);
  });

  it.each<[string, ApiKey | null]>([
    ['none', null],
    ['of another tenant', { ...apiKey, tenant: 'other.example' }],
    ['without the scope', { ...apiKey, scope: 'OTHER' }],
    ['inactive', { ...apiKey, status: 'INACTIVE' }],
    ['of a time to come', { ...apiKey, validFrom: '2026-07-02T00:00:00.000Z' }],
    ['of a time that is over', { ...apiKey, validUntil: '2026-06-30T00:00:00.000Z' }],
  ])('is not: %s', (_what, key) => {
    expect([isOwnKey(key, account, NOW), isOwnKey(key, { ...account, user: null }, NOW)]).toEqual([false, false]);
  });
});

describe('a session', () => {
  const from = Date.parse('2026-07-01T10:00:00.000Z');
  const check = (issuedAtMs: number) => () =>
    requireOpenSession({ ...user, tokensFromMs: from }, Math.floor(issuedAtMs / 1000));

  it('is refused when its token was issued before the time from which tokens are valid, and open from then on', () => {
    expect(check(from - 1)).toThrow(error('UNAUTHORIZED', 'The session has ended. Log in again.'));
    expect(check(from)).not.toThrow();
    expect(() => requireOpenSession(user, 0)).not.toThrow();
  });
});

describe('a user who logs in', () => {
  it('needs no API key', () => {
    expect(requireActiveUser({ ...snapshot, apiKey: null, keyCompany: null }, NOW)).toBe(user);
  });

  it('is told of a suspended company before being told of not being active', () => {
    const both = {
      ...snapshot,
      ...withUser({ active: false }),
      userCompany: { companyId: '5', status: 'SUSPENDED' } as const,
    };
    expect(() => requireActiveUser(both, NOW)).toThrow(SUSPENDED);
  });
});

describe('a supplier account', () => {
  const requireReader = (changes: Partial<AccessSnapshot>, caller = user) =>
    requireSupplier({ ...snapshot, ...changes }, caller, 'demo.example', 'read');

  it("is the caller, within the supplier's own invoices and under the tenant's tolerance", () => {
    expect(requireReader({})).toEqual({
      userId: '77',
      scope: { tenant: 'demo.example', supplierId: '9' },
      tolerance: { ...tenantTolerance, source: 'global' },
    });
  });

  it("is under its own tolerance before the tenant's", () => {
    const { tolerance } = requireReader({
      supplier: { supplierId: '9', companyId: '5', tolerance: supplierTolerance },
    });
    expect(tolerance).toEqual({ ...supplierTolerance, source: 'proveedor' });
  });

  it('is required, before its permission [service/rule-2]', () => {
    expect(() => requireReader({ supplier: null }, { ...user, permissions: ['OTHER'] })).toThrow(NO_SUPPLIER);
  });

  it('is required to be one of the company of the user [service/rule-2]', () => {
    const foreign = { supplier: { supplierId: '9', companyId: '7', tolerance: null } };
    expect(() => requireReader(foreign)).toThrow(NO_SUPPLIER);
  });

  it.each([
    ['read', 'APICLI_PORTALPROVEEDOR_READ', 'APICLI_PORTALPROVEEDOR_WRITE'],
    ['write', 'APICLI_PORTALPROVEEDOR_WRITE', 'APICLI_PORTALPROVEEDOR_READ'],
  ] as const)('needs for %s access the permission %s, and no other', (kind, needed, other) => {
    const check = (permissions: string[]) => requireSupplier(snapshot, { ...user, permissions }, 'demo.example', kind);
    expect(check([needed]).userId).toBe('77');
    expect(() => check([other])).toThrow(
      error('FORBIDDEN', `The permission ${needed} is required.`, 'missing-permission'),
    );
  });
});
