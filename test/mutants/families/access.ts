import type { Family } from '../mutant.ts';

const RULES = 'lib/auth/access-rules.ts';
const TOKENS = 'lib/auth/tokens.ts';
const VERIFIED = 'lib/auth/verified-tokens.ts';
const ERRORS = 'lib/domain/errors.ts';
const TEXTS = 'lib/domain/texts.ts';
const KEYS = 'lib/storage/items/keys.ts';

/** API keys, users, companies and suppliers. */
export const accounts: Family = {
  rules: [
    'api-key/',
    'auth/rule-2/',
    'auth/rule-4/',
    'codes/COMPANY_SUSPENDED/',
    'codes/UNAUTHORIZED/',
    'service/rule-2',
  ],
  mutants: [
    ['a key of any tenant opens', RULES, 'key.tenant === tenant &&', 'tenant &&'],
    ['a key of any scope opens', RULES, 'key.scope === API_KEY_SCOPE &&', 'key.scope &&'],
    [
      'a key without a scope opens',
      RULES,
      'key.scope === API_KEY_SCOPE &&',
      "(key.scope === API_KEY_SCOPE || key.scope === '') &&",
    ],
    ['an inactive key opens', RULES, "key.status === 'ACTIVE' &&", ''],
    ['a key opens before its time', RULES, 'Date.parse(from) <= now.getTime() && ', ''],
    ['a key opens after its time', RULES, ' && now.getTime() <= Date.parse(until)', ''],
    [
      'a key opens no more at its last instant',
      RULES,
      'now.getTime() <= Date.parse(until)',
      'now.getTime() < Date.parse(until)',
    ],
    [
      'a suspended company of the key does not matter',
      RULES,
      "snapshot.keyCompany?.status !== 'ACTIVE'",
      "snapshot.keyCompany?.status === 'NONE'",
    ],
    [
      'a suspended company of the user does not matter',
      RULES,
      "user && userCompany?.status !== 'ACTIVE'",
      'user && !userCompany',
    ],
    ['a deactivated user is active', RULES, 'user.active && user.licenseActive', 'user.licenseActive'],
    ['a user without a license is active', RULES, 'user.active && user.licenseActive', 'user.active'],
    ['an expired user is active', RULES, ' && !expired', ''],
    [
      'a user is active at the instant of its expiry',
      RULES,
      'now.getTime() >= Date.parse(user.expiresAt)',
      'now.getTime() > Date.parse(user.expiresAt)',
    ],
    ['a user without permissions is active', RULES, ' && user.permissions.length > 0', ''],
    ['an inactive user is told something else', TEXTS, "'User is not active'", "'The user is inactive.'"],
    [
      'a suspended company is UNAUTHORIZED',
      RULES,
      "new ServiceError('COMPANY_SUSPENDED'",
      "new ServiceError('UNAUTHORIZED'",
    ],
    [
      'a user without a supplier is told something else',
      TEXTS,
      'This endpoint requires a supplier account.',
      'A supplier account is required.',
    ],
    [
      'a user without a supplier is UNAUTHORIZED',
      RULES,
      "'FORBIDDEN', texts.supplierRequired",
      "'UNAUTHORIZED', texts.supplierRequired",
    ],
  ],
};

/** Permissions, endpoint by endpoint. */
export const permissions: Family = {
  rules: [
    'list-invoices/permission',
    'get-invoice/permission',
    'validate-amount/permission',
    'declare-invoice/permission',
    'declare-batch/permission',
    'codes/FORBIDDEN/permission',
    'auth/rule-3',
  ],
  mutants: [
    [
      'any permission is enough',
      RULES,
      '!user.permissions.includes(PERMISSIONS[kind])',
      'user.permissions.length === 0',
    ],
    [
      'the read permission writes',
      'lib/domain/directory.ts',
      "write: 'APICLI_PORTALPROVEEDOR_WRITE'",
      "write: 'APICLI_PORTALPROVEEDOR_READ'",
    ],
    [
      'the read permission has another name',
      'lib/domain/directory.ts',
      "read: 'APICLI_PORTALPROVEEDOR_READ'",
      "read: 'APICLI_PORTAL_READ'",
    ],
    ['a batch needs the read permission', 'lib/contracts/declare-batch.ts', "access: 'write'", "access: 'read'"],
    [
      'a declaration needs the read permission',
      'lib/contracts/declare-invoice.ts',
      "access: 'write'",
      "access: 'read'",
    ],
    ['a check needs the write permission', 'lib/contracts/validate-amount.ts', "access: 'read'", "access: 'write'"],
    ['a detail needs the write permission', 'lib/contracts/get-invoice.ts', "access: 'read'", "access: 'write'"],
    ['a list needs the write permission', 'lib/contracts/list-invoices.ts', "access: 'read'", "access: 'write'"],
  ],
};

/** Tokens and the tenant header. */
export const tokens: Family = {
  rules: [
    'auth/flow-2',
    'auth/tenant',
    'auth/rule-1/',
    'headers/tenant',
    'codes/UNAUTHORIZED/token',
    'codes/UNAUTHORIZED/tenant-mismatch',
    'codes/TOKEN_EXPIRED/',
    'limits/token-lifetime',
  ],
  mutants: [
    ['a token lives for two hours', TOKENS, 'TOKEN_LIFETIME_SECONDS = 3600', 'TOKEN_LIFETIME_SECONDS = 7200'],
    ['an expired token is UNAUTHORIZED', TOKENS, "'TOKEN_EXPIRED', ", "'UNAUTHORIZED', "],
    ['an expired token is told something else', TEXTS, 'the token has expired and a new login is needed', 'Expired.'],
    ["another tenant's token is told that it has expired", TOKENS, " && error.payload['tenant'] === tenant", ''],
    ["another tenant's token opens", TOKENS, "claims['tenant'] !== tenant || ", ''],
    ['any type of token opens', TOKENS, "    typ: 'JWT',\n", ''],
    ["another issuer's token opens", TOKENS, '    issuer,\n', ''],
    ["another audience's token opens", TOKENS, '    audience,\n', ''],
    ['a token needs no id', TOKENS, "'exp', 'jti'", "'exp'"],
    ['a token that is known does not expire', VERIFIED, ' && Math.floor(now.getTime() / 1000) < exp', ''],
    [
      'the signature of a token that is known is not looked at',
      VERIFIED,
      "hash('sha256', token)",
      "hash('sha256', token.slice(0, token.lastIndexOf('.')))",
    ],
    [
      'a token that is known needs its key no more',
      VERIFIED,
      ' && (await findKey(known.protectedHeader)) === known.key',
      '',
    ],
    ['a token needs no scheme', TOKENS, '/^Bearer (', '/^(?:Bearer )?('],
    [
      'a missing tenant is that of the demo',
      'lib/http/require-tenant.ts',
      "headerOf(event, 'tenant')?",
      "(headerOf(event, 'tenant') ?? 'demo.example')",
    ],
    ['a missing tenant is told something else', TEXTS, 'The tenant header is required.', 'No tenant.'],
    ['the tenant need not exist', RULES, 'if (!snapshot.tenant) throw', 'if (!tenant) throw'],
  ],
};

/** Whose invoices a caller sees, and what it is told of others. */
export const ownership: Family = {
  rules: [
    'service/rule-1',
    'get-invoice/not-found',
    'declare-invoice/not-found',
    'validate-amount/not-found',
    'codes/NOT_FOUND/resource',
  ],
  mutants: [
    ['suppliers of a tenant share their invoices', KEYS, 'return `${tenant}#${supplierId}`;', 'return `${tenant}#`;'],
    [
      'namesakes of two tenants share their invoices',
      KEYS,
      'return `${tenant}#${supplierId}`;',
      'return `#${supplierId}`;',
    ],
    ["another's invoice is FORBIDDEN", ERRORS, "new ServiceError('NOT_FOUND', ", "new ServiceError('FORBIDDEN', "],
    ['an absent invoice is told something else', TEXTS, 'The invoice was not found.', 'There is no such invoice.'],
  ],
};

/** What a caller is told when something fails. */
export const failures: Family = {
  rules: ['auth/rule-5/unavailable', 'codes/SERVICE_UNAVAILABLE/', 'codes/INTERNAL_ERROR/'],
  mutants: [
    [
      'a user who cannot be verified is an internal error',
      ERRORS,
      "new ServiceError('SERVICE_UNAVAILABLE', ",
      "new ServiceError('INTERNAL_ERROR', ",
    ],
    [
      'a user who cannot be verified is UNAUTHORIZED',
      ERRORS,
      "new ServiceError('SERVICE_UNAVAILABLE', ",
      "new ServiceError('UNAUTHORIZED', ",
    ],
    [
      'a failure tells its cause',
      'lib/http/response.ts',
      "'INTERNAL_ERROR', unexpected",
      "'INTERNAL_ERROR', { ...unexpected, en: String(error) }",
    ],
  ],
};
