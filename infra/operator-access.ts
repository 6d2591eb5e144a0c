import type { TableActions } from './routes.ts';

/** The permissions of a managed policy for operators. */
interface OperatorAccess {
  readonly description: string;
  readonly tables: TableActions;
}

/**
 * The managed policies for operators, by the names of their outputs. Each includes only what the commands of its group
 * need in addition to the policies before it. test/integration/ops/dry-run.test.ts compares them with the commands.
 */
export const OPERATOR_POLICIES: Readonly<
  Record<'OperatorRead' | 'OperatorReview' | 'OperatorAdminister', OperatorAccess>
> = {
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
};
