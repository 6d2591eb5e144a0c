import type { TableActions } from './routes.ts';

/**
 * The managed policies for operators, by the names of their outputs. Each includes only what the commands of its group
 * need in addition to the policies before it. test/integration/ops/dry-run.test.ts compares them with the commands.
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
      // An INSERT never replaces an entry.
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
  OperatorTenant: {
    description: 'Limits the other policies to the tenant in the tag "tenant" of the role.',
    tables: {},
  },
} satisfies Readonly<Record<string, { readonly description: string; readonly tables: TableActions }>>;

/** The tag of a role with the tenant to which OperatorTenant limits the role. */
export const TENANT_TAG = 'aws:PrincipalTag/tenant';
const tenant = `\${${TENANT_TAG}}`;

/** The patterns of the partition keys of this tenant (see lib/tables/keys.ts). The key of an API key names no tenant. */
export const TENANT_KEYS = [
  `TENANT#${tenant}`,
  `TENANT#${tenant}#TENANT`,
  `ACCOUNT#${tenant}#*`,
  `OPERATOR#${tenant}`,
  `${tenant}#*`,
  'APIKEY#*',
];
