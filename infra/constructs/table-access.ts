import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import type { TableActions, TableName } from '../routes.ts';
import { invoiceIndexNames } from './tables.ts';
import type { Tables } from './tables.ts';

/** In Directory these actions reach nothing but the public signing keys, which share one partition key. */
const publicKeysOnly: readonly string[] = ['Query', 'PutItem', 'DeleteItem'];
const publicKeysCondition = { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['JWKS'] } };

/** What DynamoDB needs of its caller to open a table that has an encryption key of its own, and to write to it. */
const readKeyActions = ['kms:Decrypt', 'kms:DescribeKey'];
const writeKeyActions = ['kms:Encrypt', 'kms:GenerateDataKey', 'kms:ReEncryptFrom', 'kms:ReEncryptTo'];

/** Allows a function exactly the given actions, and the use of a table's own encryption key as far as they need it. */
export function allowTableActions({ grantPrincipal }: IGrantable, tables: Tables, access: TableActions): void {
  for (const [name, actions] of Object.entries(access) as [TableName, readonly string[]][]) {
    for (const action of actions) grantPrincipal.addToPrincipalPolicy(statement(tables, name, action));

    const writes = actions.includes('PutItem');
    tables[name].encryptionKey?.grant(grantPrincipal, ...readKeyActions, ...(writes ? writeKeyActions : []));
  }
}

/** The environment variables that name the tables a function may use, such as RATE_COUNTERS_TABLE. */
export function tableEnvironment(tables: Tables, access: TableActions): Record<string, string> {
  const names = Object.keys(access) as TableName[];
  return Object.fromEntries(names.map((name) => [variableName(name), tables[name].tableName]));
}

function statement(tables: Tables, name: TableName, action: string): PolicyStatement {
  const { tableArn } = tables[name];
  const indexes = name === 'Invoices' && action === 'Query' ? invoiceIndexNames : [];
  return new PolicyStatement({
    effect: Effect.ALLOW,
    actions: [`dynamodb:${action}`],
    resources: [tableArn, ...indexes.map((index) => `${tableArn}/index/${index}`)],
    ...(name === 'Directory' && publicKeysOnly.includes(action) && { conditions: publicKeysCondition }),
  });
}

function variableName(table: TableName): string {
  return `${table.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()}_TABLE`;
}
