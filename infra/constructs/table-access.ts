import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import type { TableActions, TableArea, TableName, TablePart } from '../routes.ts';
import type { Tables } from './tables.ts';

/** The attributes that guarded earlier versions of an account; the guard removes them. */
const oldFormat = ['h??', 'k??', 'u??', 'v??', '?_pause', 'failures', 'failures_from', 'source_*'];

/** The failure slots of a window and the trusted sources of a period, see createAccountTable. */
const guardSets = ['f_*', 's_*'];

/** The partition keys of each part of a table, and the attributes that an UpdateItem may name there (none, or any). */
const tableParts: Readonly<Record<TablePart, { partitions: string[]; updates?: string[] | 'any' }>> = {
  'Directory/records': { partitions: ['TENANT#*', 'APIKEY#*'] },
  'Directory/logins': { partitions: ['TENANT#*'] },
  'Directory/player-ids': { partitions: ['TENANT#*'], updates: ['pk', 'sk', 'player_ids'] },
  // Neither the password itself, nor a time at which its record would expire.
  'Directory/accounts': { partitions: ['ACCOUNT#*'], updates: ['pk', 'sk', ...guardSets, ...oldFormat] },
  'Directory/unknown-names': { partitions: ['NOBODY#*'], updates: ['pk', 'sk', ...guardSets, ...oldFormat, 'ttl'] },
  'Directory/public-keys': { partitions: ['JWKS'] },
  'Declarations/log': { partitions: ['LOG#*'] },
  // Tenant, supplier and month: an invoice has no month in its partition.
  'Invoices/rows': { partitions: ['*#*#*'] },
  // Tenant, user, group and limit: a guard's key has one # alone.
  'RateCounters/limits': { partitions: ['*#*#*#*'], updates: 'any' },
  'RateCounters/login-guards': { partitions: ['LOGIN#*'], updates: 'any' },
  'RateCounters/legacy-guards': { partitions: ['LEGACY#*'], updates: 'any' },
};

/** What DynamoDB needs of its caller to open a table that has an encryption key of its own, and to write to it. */
const readKeyActions = ['kms:Decrypt', 'kms:DescribeKey'];
const writeKeyActions = ['kms:Encrypt', 'kms:GenerateDataKey', 'kms:ReEncryptFrom', 'kms:ReEncryptTo'];

/** Allows a function exactly the given actions, and the use of a table's own encryption key as far as they need it. */
export function allowTableActions({ grantPrincipal }: IGrantable, tables: Tables, access: TableActions): void {
  for (const [area, actions] of Object.entries(access) as [TableArea, readonly string[]][]) {
    const name = tableOf(area);
    for (const action of actions) grantPrincipal.addToPrincipalPolicy(statement(tables, area, action));

    const writes = actions.includes('PutItem');
    tables[name].encryptionKey?.grant(grantPrincipal, ...readKeyActions, ...(writes ? writeKeyActions : []));
  }
}

/** The environment variables that name the tables a function may use, such as RATE_COUNTERS_TABLE. */
export function tableEnvironment(tables: Tables, access: TableActions): Record<string, string> {
  const names = (Object.keys(access) as TableArea[]).map(tableOf);
  return Object.fromEntries(names.map((name) => [variableName(name), tables[name].tableName]));
}

function tableOf(area: TableArea): TableName {
  return area.split('/')[0] as TableName;
}

function statement(tables: Tables, area: TableArea, action: string): PolicyStatement {
  return new PolicyStatement({
    effect: Effect.ALLOW,
    actions: [`dynamodb:${action}`],
    resources: [tables[tableOf(area)].tableArn],
    ...(area in tableParts && { conditions: conditionsOf(area as TablePart, action) }),
  });
}

function conditionsOf(part: TablePart, action: string) {
  const { partitions, updates = [] } = tableParts[part];
  const ofUpdate = action === 'UpdateItem' && updates !== 'any' && { 'dynamodb:Attributes': updates };
  return {
    'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions, ...ofUpdate },
    // Else an update could give back what it may not name.
    ...(ofUpdate && { StringEqualsIfExists: { 'dynamodb:ReturnValues': ['NONE'] } }),
  };
}

function variableName(table: TableName): string {
  return `${table.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()}_TABLE`;
}
