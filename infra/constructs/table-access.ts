import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import { allowKeyUse } from './encryption-key.ts';
import type { TableActions, TableArea, TableName, TablePart } from '../routes.ts';
import type { Tables } from './tables.ts';

/** The attributes that guarded earlier versions of an account; the guard removes them. */
const oldFormat = ['h??', 'k??', 'u??', 'v??', '?_pause', 'failures', 'failures_from', 'source_*'];

/** The failure slots of a window and the trusted sources of a period, see createAccountTable. */
const guardSets = ['f_*', 's_*'];

/** The partition keys of each part of a table, and the attributes that an UpdateItem may contain (none, or any). */
const tableParts: Readonly<Record<TablePart, { partitions: string[]; updates?: string[] | 'any' }>> = {
  'Directory/records': { partitions: ['TENANT#*', 'APIKEY#*'] },
  'Directory/logins': { partitions: ['TENANT#*'] },
  'Directory/player-ids': { partitions: ['TENANT#*'], updates: ['pk', 'sk', 'player_ids'] },
  // Not the password itself, and no expiry time of its record.
  'Directory/accounts': { partitions: ['ACCOUNT#*'], updates: ['pk', 'sk', ...guardSets, ...oldFormat] },
  'Directory/unknown-names': { partitions: ['NOBODY#*'], updates: ['pk', 'sk', ...guardSets, ...oldFormat, 'ttl'] },
  'Directory/public-keys': { partitions: ['JWKS'] },
  'Declarations/log': { partitions: ['LOG#*'] },
  // The keys of rows contain tenant, supplier and month; the partition of an invoice contains no month.
  'Invoices/rows': { partitions: ['*#*#*'] },
  // The keys of limits contain tenant, user, group and limit; the key of a guard contains only one #.
  'RateCounters/limits': { partitions: ['*#*#*#*'], updates: 'any' },
  'RateCounters/login-guards': { partitions: ['LOGIN#*'], updates: 'any' },
  'RateCounters/legacy-guards': { partitions: ['LEGACY#*'], updates: 'any' },
};

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
  const { partitions, updates = [] } = tableParts[part];
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
