import { Effect, type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { allowKeyUse } from './encryption-key.ts';
import {
  type TableActions,
  type TableArea,
  type TableName,
  type TablePart,
  type TablePartRule,
  tableParts,
} from '../routes.ts';
import type { Tables } from './tables.ts';

/** Allows a function exactly the given actions, and the use of a table's encryption key if they need it. */
export function allowTableActions({ grantPrincipal }: IGrantable, tables: Tables, access: TableActions): void {
  for (const [area, actions] of Object.entries(access) as [TableArea, readonly string[]][]) {
    const name = getTableName(area);
    for (const action of actions) grantPrincipal.addToPrincipalPolicy(statement(tables, area, action));

    const { encryptionKey } = tables[name];
    if (encryptionKey) allowKeyUse(encryptionKey, grantPrincipal, { canWrite: actions.includes('PutItem') });
  }
}

/** Returns the environment variables with the names of a function's tables, for example RATE_COUNTERS_TABLE. */
export function tableEnvironment(tables: Tables, access: TableActions): Record<string, string> {
  const names = (Object.keys(access) as TableArea[]).map(getTableName);
  return Object.fromEntries(names.map((name) => [buildVariableName(name), tables[name].tableName]));
}

function getTableName(area: TableArea): TableName {
  return area.split('/')[0] as TableName;
}

function statement(tables: Tables, area: TableArea, action: string): PolicyStatement {
  return new PolicyStatement({
    effect: Effect.ALLOW,
    actions: [`dynamodb:${action}`],
    resources: [tables[getTableName(area)].tableArn],
    ...(area in tableParts && { conditions: buildConditions(area as TablePart, action) }),
  });
}

function buildConditions(part: TablePart, action: string) {
  const { partitions, updates = [] }: TablePartRule = tableParts[part];
  const ofUpdate = action === 'UpdateItem' && updates !== 'any' && { 'dynamodb:Attributes': updates };
  return {
    'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions, ...ofUpdate },
    // Otherwise, an update could return attributes that it must not read.
    ...(ofUpdate && { StringEqualsIfExists: { 'dynamodb:ReturnValues': ['NONE'] } }),
  };
}

function buildVariableName(table: TableName): string {
  return `${table.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()}_TABLE`;
}
