import type { Family } from '../mutant.ts';

const PLAN_USER = 'infra/ops/apply/plan-user.ts';
const PLAN_ENTRY = 'infra/ops/apply/plan-entry.ts';
const PLAN_KEY = 'infra/ops/apply/plan-api-key.ts';
const RULES = 'lib/auth/access-rules.ts';
const DIRECTORY = 'lib/storage/directory-table.ts';
const STOPPED = 'infra/ops/apply/stopped-by-command.ts';

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
