import { type DefaultStackSynthesizer, Fn, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AttributeType, BillingMode, StreamViewType, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import type { TableProps } from 'aws-cdk-lib/aws-dynamodb';
import { AccountRootPrincipal, type IPrincipal, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { Deployment } from '../config.ts';
import type { TableName } from '../routes.ts';

export type Tables = Readonly<Record<TableName, Table>>;

const partitionKey = { name: 'pk', type: AttributeType.STRING };
const sortKey = { name: 'sk', type: AttributeType.STRING };
const numericSortKey = { name: 'sk', type: AttributeType.NUMBER };

/** Creates all tables. They outlive the stack if the stage keeps its data. */
export function createTables(scope: Construct, { keepData, events }: Deployment): Tables {
  const removalPolicy = keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
  const createTable = (name: string, props: Omit<TableProps, 'partitionKey'>) =>
    new Table(scope, name, {
      partitionKey,
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: keepData,
      removalPolicy,
      encryption: TableEncryption.AWS_MANAGED,
      ...props,
    });
  const streamOptions = events ? { stream: StreamViewType.NEW_IMAGE } : {};
  const tables = {
    Directory: createTable('Directory', { sortKey, timeToLiveAttribute: 'ttl' }),
    Invoices: createTable('Invoices', { sortKey, ...streamOptions }),
    Declarations: createTable('Declarations', { sortKey: numericSortKey, ...streamOptions }),
    DayIndexes: createTable('DayIndexes', { sortKey, timeToLiveAttribute: 'ttl' }),
    RateCounters: createTable('RateCounters', { timeToLiveAttribute: 'ttl' }),
    // The table has its own encryption key, so that both the policy of a role and the policy of the encryption key must
    // allow a read of the signing keys.
    SigningKeys: createTable('SigningKeys', {
      sortKey,
      encryption: TableEncryption.CUSTOMER_MANAGED,
      encryptionKey: createEncryptionKey(scope, 'SigningKeysEncryption', removalPolicy),
    }),
  };
  // Only log entries have the attribute. The index finds the declarations of a request by the id of the request.
  tables.Declarations.addGlobalSecondaryIndex({
    indexName: 'requests',
    partitionKey: { name: 'log_request', type: AttributeType.STRING },
  });
  return tables;
}

/** The actions to administrate a key, without `kms:CreateGrant`, with which an administrator could use the key. */
const administrationActions = [
  'kms:Describe*',
  'kms:Get*',
  'kms:List*',
  'kms:Put*',
  'kms:Update*',
  'kms:Enable*',
  'kms:Disable*',
  'kms:RevokeGrant',
  'kms:ScheduleKeyDeletion',
  'kms:CancelKeyDeletion',
  'kms:TagResource',
  'kms:UntagResource',
];
/** The permissions that a caller of DynamoDB needs to open a table. */
const readActions = ['kms:Decrypt', 'kms:DescribeKey'];
/** The additional permissions of a caller that writes to a table. */
const writeActions = ['kms:Encrypt', 'kms:GenerateDataKey', 'kms:ReEncryptFrom', 'kms:ReEncryptTo'];
/** The additional permissions of the principal that creates a table with the key. */
const createActions = ['kms:GenerateDataKeyWithoutPlaintext', 'kms:CreateGrant'];

/**
 * Creates the encryption key of a table. IAM policies of the account can administrate the key, but not use it: only its
 * own policy decides about that. Administrators can change this policy, so that the key stays manageable.
 */
function createEncryptionKey(scope: Construct, id: string, removalPolicy: RemovalPolicy): Key {
  const accountStatement = { principals: [new AccountRootPrincipal()], resources: ['*'] };
  // On behalf of the principal that creates a table, DynamoDB creates the grants by which it maintains the table; AWS
  // lists these permissions as its minimum ("DynamoDB encryption at rest usage notes"). The role of CloudFormation is in
  // a condition, because a policy cannot name a principal that does not exist.
  const { cloudFormationExecutionRoleArn } = Stack.of(scope).synthesizer as DefaultStackSynthesizer;
  const isDeployment = { ArnEquals: { 'aws:PrincipalArn': Fn.sub(cloudFormationExecutionRoleArn) } };
  const policy = new PolicyDocument({
    statements: [
      new PolicyStatement({ ...accountStatement, actions: administrationActions }),
      new PolicyStatement({
        ...accountStatement,
        actions: [...readActions, ...writeActions, ...createActions],
        conditions: { ...buildDynamoDbCondition(scope), ...isDeployment },
      }),
    ],
  });
  return new Key(scope, id, { enableKeyRotation: true, removalPolicy, policy });
}

/** Allows a role to use the encryption key of a table, through DynamoDB alone. */
export function allowKeyUse(key: IKey, role: IPrincipal, { canWrite }: { canWrite: boolean }): void {
  const actions = [...readActions, ...(canWrite ? writeActions : [])];
  const conditions = buildDynamoDbCondition(key);
  key.addToResourcePolicy(new PolicyStatement({ actions, conditions, principals: [role], resources: ['*'] }));
  // Earlier versions use only this statement: with both, no login fails during a deployment or a rollback.
  role.addToPrincipalPolicy(new PolicyStatement({ actions, conditions, resources: [key.keyArn] }));
}

/** Builds the condition that DynamoDB uses the key on behalf of a caller. */
function buildDynamoDbCondition(scope: Construct) {
  return { StringEquals: { 'kms:ViaService': `dynamodb.${Stack.of(scope).region}.amazonaws.com` } };
}
