import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import { type TableActions, type TableName, TABLE_PARTS, type TablePart, type TablePartRule } from '../routes.ts';
import { allowKeyUse } from './encryption-key.ts';
import type { Tables } from './tables.ts';

/** Allows a role to perform actions on tables, and to use the encryption keys of the tables. */
export function allowTableActions(role: Role, tables: Tables, tableActions: TableActions): void {
  for (const statement of buildTableStatements(tables, tableActions)) role.addToPolicy(statement);
  for (const { tableName, actions } of listTableActions(tableActions)) {
    const { encryptionKey } = tables[tableName];
    // Among the tables, SigningKeys alone has its own encryption key. Every function that writes to it calls PutItem.
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

/** Lists the actions by table or part: `SigningKeys` is a table, and `Directory/logins` a part of the table Directory. */
export function listTableActions(tableActions: TableActions) {
  return Object.entries(tableActions).map(([area, actions]) => {
    const [tableName] = area.split('/');
    // A rule in routes.ts describes a part. A whole table has no rule.
    const rule: TablePartRule | undefined = TABLE_PARTS[area as TablePart];
    return { tableName: tableName as TableName, rule, actions };
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
    // An update cannot return attributes, because the function has no permission to read them.
    StringEqualsIfExists: { 'dynamodb:ReturnValues': ['NONE'] },
  };
}
