import type { Family } from '../mutant.ts';

const PLAN_USER = 'lib/admin/apply/plan-user.ts';
const PLAN_ENTRY = 'lib/admin/apply/plan-entry.ts';
const PLAN_KEY = 'lib/admin/apply/plan-api-key.ts';
const RULES = 'lib/auth/access-rules.ts';
const DIRECTORY = 'lib/storage/directory/directory-table.ts';
const SESSIONS = 'lib/domain/sessions.ts';
const CREDENTIALS = 'lib/services/verify-credentials.ts';
const USER_RECORDS = 'lib/admin/directory/plan-user-records.ts';
const SET_ACTIVE = 'lib/admin/access/set-user-active.ts';
const SET_PASSWORD = 'lib/admin/access/set-password.ts';
const STOPPED = 'lib/admin/directory/stopped-by-command.ts';

/** What a command stopped, and a file must not resume. */
export const stops: Family = {
  rules: ['auth/rule-2/login', 'auth/rule-4/endpoints', 'api-key/status'],
  mutants: [
    ['a file lets a deactivated user in', PLAN_USER, 'value.active && since === undefined', 'value.active'],
    ['a file forgets that a user was deactivated', PLAN_USER, '    ...(since && { stopped_at: since }),\n', ''],
    ['a file resumes a suspended company', PLAN_ENTRY, "status: 'SUSPENDED', stopped_at", 'stopped_at'],
    ['a file forgets that a company was suspended', PLAN_ENTRY, ', stopped_at: since } as', ' } as'],
    ['a file resumes a revoked key', PLAN_KEY, "stored?.revoked_at ? 'INACTIVE' : value.status", 'value.status'],
    ['a command does not mark what it stops', STOPPED, 'return isStopped ?', 'return !isStopped ?'],
  ],
};

/** The company of a supplier, which must be that of its users. */
export const supplierCompanies: Family = {
  rules: ['service/rule-2', 'codes/COMPANY_SUSPENDED/'],
  mutants: [
    ['a supplier of another company opens', RULES, ' || supplier.companyId !== user.companyId', ''],
    [
      'a suspended company of the supplier does not matter',
      RULES,
      "supplier && supplierCompany?.status !== 'ACTIVE'",
      'supplier && !supplierCompany',
    ],
    [
      "a supplier is of its user's company, whatever it says",
      DIRECTORY,
      'supplier && supplier.companyId !== user?.companyId ?',
      'supplier && !user ?',
    ],
  ],
};

/** Sessions that a new password, a deactivation or an operator ends. */
export const sessions: Family = {
  rules: ['codes/UNAUTHORIZED/token'],
  mutants: [
    ['no session ends', SESSIONS, 'issuedAtSeconds * SECOND_MS < tokensFromMs', 'tokensFromMs < 0'],
    [
      'a session of the new second ends',
      SESSIONS,
      'issuedAtSeconds * SECOND_MS < tokensFromMs',
      'issuedAtSeconds * SECOND_MS <= tokensFromMs',
    ],
    [
      'sessions of the second of the change go on',
      SESSIONS,
      '(Math.floor(ms / SECOND_MS) + 1)',
      'Math.floor(ms / SECOND_MS)',
    ],
    [
      'the time is moved back',
      SESSIONS,
      'Math.max(nextSecond(now.getTime()), laterThanBefore)',
      'nextSecond(now.getTime())',
    ],
    [
      'sessions of between two changes of a second go on',
      SESSIONS,
      'nextSecond(Date.parse(before))',
      'Date.parse(before)',
    ],
    ['a token is issued before tokens are valid', SESSIONS, 'Math.max(now.getTime(), tokensFromMs)', 'now.getTime()'],
    [
      'an old password gets a token of after the change',
      CREDENTIALS,
      'Math.min(user.tokensFromMs, ofAccount.tokensFromMs)',
      'user.tokensFromMs',
    ],
    [
      'a deactivated user gets a token of after that',
      CREDENTIALS,
      'Math.min(user.tokensFromMs, ofAccount.tokensFromMs)',
      'ofAccount.tokensFromMs',
    ],
    ['a write that takes long lets sessions go on', USER_RECORDS, '? null : planAgain', '? planAgain : null'],
    ['the account does not hear of the end', USER_RECORDS, '{ ...account, ...ended }', 'account'],
    ['a deactivation ends no session', SET_ACTIVE, '!active && state', 'false && state'],
    [
      'a new password ends no session',
      SET_PASSWORD,
      'hash !== stored?.password_hash',
      'hash === stored?.password_hash',
    ],
  ],
};
