import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import { type TableActions, type TableName, TABLE_PARTS, type TablePart, type TablePartRule } from '../routes.ts';
import { allowKeyUse } from './encryption-key.ts';
import type { Tables } from './tables.ts';

/** The actions on a table, or on the part of a table that a rule describes. */
interface AllowedActions {
  readonly tableName: TableName;
  readonly rule: TablePartRule | undefined;
  readonly actions: readonly string[];
}

/** Allows a role to perform actions on tables, and to use the encryption keys of the tables. */
export function allowTableActions(role: Role, tables: Tables, tableActions: TableActions): void {
  for (const statement of buildTableStatements(tables, tableActions)) role.addToPolicy(statement);
  for (const { tableName, actions } of listTableActions(tableActions)) {
    const { encryptionKey } = tables[tableName];
    // The function that writes to SigningKeys, the only table with its own encryption key, uses PutItem.
    if (encryptionKey) allowKeyUse(encryptionKey, role, { isWriter: actions.includes('PutItem') });
  }
}

/** Builds the IAM statements that allow the given actions on tables. */
export function buildTableStatements(tables: Tables, tableActions: TableActions): PolicyStatement[] {
  return listTableActions(tableActions).flatMap(({ tableName, rule, actions }) => {
    const { tableArn } = tables[tableName];
    return actions.map((action) => buildStatement(tableArn, rule, action));
  });
}

/** Lists actions by table or part: `Directory/logins` is a part of the table Directory, and has a rule. */
export function listTableActions(tableActions: TableActions): AllowedActions[] {
  return Object.entries(tableActions).map(([area, actions]) => {
    const [tableName] = area.split('/');
    return { tableName: tableName as TableName, rule: TABLE_PARTS[area as TablePart], actions };
  });
}

function buildStatement(tableArn: string, rule: TablePartRule | undefined, action: string): PolicyStatement {
  const actions = [`dynamodb:${action}`];
  if (rule === undefined) return new PolicyStatement({ actions, resources: [tableArn] });
  if (rule.index) return new PolicyStatement({ actions, resources: [`${tableArn}/index/${rule.index}`] });
  return new PolicyStatement({ actions, resources: [tableArn], conditions: buildConditions(rule, action) });
}

/** Builds the conditions that limit an action to the partitions of a part, and an update to its attributes. */
function buildConditions({ partitions, scan, updates = [] }: TablePartRule, action: string) {
  if (scan) {
    return {
      'ForAllValues:StringLike': { 'dynamodb:Attributes': scan },
      StringEquals: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
    };
  }
  const keys = { 'dynamodb:LeadingKeys': partitions };
  if (action !== 'UpdateItem' || updates === 'any') return { 'ForAllValues:StringLike': keys };
  return {
    'ForAllValues:StringLike': { ...keys, 'dynamodb:Attributes': updates },
    // Otherwise, an update could return attributes that the function must not read.
    StringEqualsIfExists: { 'dynamodb:ReturnValues': ['NONE'] },
  };
}
