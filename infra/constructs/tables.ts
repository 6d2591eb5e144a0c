import { RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  BillingMode,
  StreamViewType,
  Table,
  TableEncryption,
  type TableProps,
} from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import type { Deployment } from '../options.ts';
import type { TableName } from '../routes.ts';
import { createEncryptionKey } from './encryption-key.ts';

export type Tables = Readonly<Record<TableName, Table>>;

const text = AttributeType.STRING;
const pk = { name: 'pk', type: text };
const sk = { name: 'sk', type: text };

/** Creates every table; they outlive the stack if the stage keeps its data. */
export function createTables(scope: Construct, { keepData, events }: Deployment): Tables {
  const removalPolicy = keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
  const createTable = (name: string, props: Omit<TableProps, 'partitionKey'>) =>
    new Table(scope, name, {
      partitionKey: pk,
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: keepData,
      removalPolicy,
      encryption: TableEncryption.AWS_MANAGED,
      ...props,
    });
  const streamed = events ? { stream: StreamViewType.NEW_IMAGE } : {};
  const tables = {
    Directory: createTable('Directory', { sortKey: sk, timeToLiveAttribute: 'ttl' }),
    Invoices: createTable('Invoices', { sortKey: sk, ...streamed }),
    Declarations: createTable('Declarations', { sortKey: { name: 'sk', type: AttributeType.NUMBER }, ...streamed }),
    DayIndexes: createTable('DayIndexes', { sortKey: sk, timeToLiveAttribute: 'ttl' }),
    RateCounters: createTable('RateCounters', { timeToLiveAttribute: 'ttl' }),
    // With its own key, both the policy of the role and that of the key must allow a read of the signing key.
    SigningKeys: createTable('SigningKeys', {
      sortKey: sk,
      encryption: TableEncryption.CUSTOMER_MANAGED,
      encryptionKey: createEncryptionKey(scope, 'SigningKeysEncryption', removalPolicy),
    }),
  };
  // Only log entries have the attribute. The index finds the declarations of a request by the id of the request.
  tables.Declarations.addGlobalSecondaryIndex({
    indexName: 'requests',
    partitionKey: { name: 'log_request', type: text },
  });
  return tables;
}
