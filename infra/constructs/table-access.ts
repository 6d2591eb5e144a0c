import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import type { DirectoryPart, TableActions, TableArea, TableName } from '../routes.ts';
import { invoiceIndexNames } from './tables.ts';
import type { Tables } from './tables.ts';

/** The partition keys of each part of Directory, and the attributes that an UpdateItem may name there. */
const directoryParts: Readonly<Record<DirectoryPart, { partitions: string[]; updates?: string[] }>> = {
  records: { partitions: ['TENANT#*', 'APIKEY#*'] },
  'player-ids': { partitions: ['TENANT#*'], updates: ['pk', 'sk', 'player_ids'] },
  // Neither the password itself, nor a time at which its record would expire.
  accounts: { partitions: ['ACCOUNT#*'], updates: ['pk', 'sk', 'h??', 'source_*'] },
  'unknown-names': { partitions: ['NOBODY#*'], updates: ['pk', 'sk', 'h??', 'ttl'] },
  'public-keys': { partitions: ['JWKS'] },
};

/** What DynamoDB needs of its caller to open a table that has an encryption key of its own, and to write to it. */
const readKeyActions = ['kms:Decrypt', 'kms:DescribeKey'];
const writeKeyActions = ['kms:Encrypt', 'kms:GenerateDataKey', 'kms:ReEncryptFrom', 'kms:ReEncryptTo'];

/** Allows a function exactly the given actions, and the use of a table's own encryption key as far as they need it. */
export function allowTableActions({ grantPrincipal }: IGrantable, tables: Tables, access: TableActions): void {
  for (const [area, actions] of Object.entries(access) as [TableArea, readonly string[]][]) {
    const [name, part] = area.split('/') as [TableName, DirectoryPart?];
    for (const action of actions) grantPrincipal.addToPrincipalPolicy(statement(tables, name, part, action));

    const writes = actions.includes('PutItem');
    tables[name].encryptionKey?.grant(grantPrincipal, ...readKeyActions, ...(writes ? writeKeyActions : []));
  }
}

/** The environment variables that name the tables a function may use, such as RATE_COUNTERS_TABLE. */
export function tableEnvironment(tables: Tables, access: TableActions): Record<string, string> {
  const names = Object.keys(access).map((area) => area.split('/')[0] as TableName);
  return Object.fromEntries(names.map((name) => [variableName(name), tables[name].tableName]));
}

function statement(tables: Tables, name: TableName, part: DirectoryPart | undefined, action: string): PolicyStatement {
  const { tableArn } = tables[name];
  const indexes = name === 'Invoices' && action === 'Query' ? invoiceIndexNames : [];
  return new PolicyStatement({
    effect: Effect.ALLOW,
    actions: [`dynamodb:${action}`],
    resources: [tableArn, ...indexes.map((index) => `${tableArn}/index/${index}`)],
    ...(part && { conditions: conditionsOf(part, action) }),
  });
}

function conditionsOf(part: DirectoryPart, action: string) {
  const { partitions, updates } = directoryParts[part];
  const ofUpdate = action === 'UpdateItem' && { 'dynamodb:Attributes': updates ?? [] };
  return {
    'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions, ...ofUpdate },
    // Else an update could give back what it may not name.
    ...(ofUpdate && { StringEqualsIfExists: { 'dynamodb:ReturnValues': ['NONE'] } }),
  };
}

function variableName(table: TableName): string {
  return `${table.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()}_TABLE`;
}
