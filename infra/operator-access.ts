import type { TableActions } from './routes.ts';

/**
 * The managed policies for operators, with their actions on a table (`Invoices`) or on a part of it (`Invoices/lists`, see
 * TABLE_PARTS in routes.ts). A policy contains only the actions that its commands need in addition to the policies
 * before it. test/integration/ops/dry-run.test.ts compares the actions with the commands. The other permissions are in
 * infra/constructs/operator-policies.ts.
 */
export const OPERATOR_POLICIES = {
  OperatorRead: {
    description: "Runs the operators' commands that only read.",
    tables: {
      'Directory/records': ['BatchGetItem', 'Query'],
      'Directory/tenants': ['Scan'],
      'Directory/public-keys': ['Query'],
      'Directory/operator-record': ['Query'],
      Invoices: ['BatchGetItem', 'Query'],
      'Invoices/lists': ['Query'],
      Declarations: ['Query'],
      'Declarations/changes': ['Query'],
    },
  },
  OperatorReview: {
    description: 'Imports, reviews and withdraws invoices, together with the policy OperatorRead.',
    tables: {
      // PutItem would allow operators to replace an entry of their record. An INSERT of PartiQL cannot replace an item.
      'Directory/operator-record': ['PartiQLInsert'],
      Invoices: ['PutItem'],
      Declarations: ['PutItem'],
    },
  },
  OperatorAdminister: {
    description: "Runs all operators' commands, together with the policies OperatorRead and OperatorReview.",
    tables: {
      'Directory/administration': ['BatchGetItem', 'ConditionCheckItem', 'DeleteItem', 'PutItem', 'UpdateItem'],
      'Directory/credentials': ['GetItem'],
      Declarations: ['DeleteItem'],
      Invoices: ['ConditionCheckItem', 'DeleteItem'],
    },
  },
  // This policy allows nothing. operator-policies.ts denies every access to keys other than TENANT_KEYS.
  OperatorTenant: {
    description: 'Limits the other policies to the tenant in the tag "tenant" of the role.',
    tables: {},
  },
} satisfies Readonly<Record<string, { readonly description: string; readonly tables: TableActions }>>;

/** The condition key of IAM for the tag "tenant" of a role. OperatorTenant limits the role to this tenant. */
export const TENANT_CONDITION_KEY = 'aws:PrincipalTag/tenant';
// IAM replaces this variable with the value of the tag.
const tenantVariable = `\${${TENANT_CONDITION_KEY}}`;

/** The patterns of the partition keys of this tenant. All API keys match, because their keys contain no tenant. */
export const TENANT_KEYS = [
  `TENANT#${tenantVariable}`,
  `TENANT#${tenantVariable}#TENANT`,
  `ACCOUNT#${tenantVariable}#*`,
  `OPERATOR#${tenantVariable}`,
  `${tenantVariable}#*`,
  'APIKEY#*',
];
