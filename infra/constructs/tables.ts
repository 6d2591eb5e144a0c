import { type DefaultStackSynthesizer, Fn, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AttributeType, BillingMode, StreamViewType, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import type { TableProps } from 'aws-cdk-lib/aws-dynamodb';
import { AccountRootPrincipal, type IPrincipal, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { Deployment } from '../config.ts';
import type { TableName } from '../routes.ts';

export type Tables = Readonly<Record<TableName, Table>>;

const PARTITION_KEY = { name: 'pk', type: AttributeType.STRING };
const SORT_KEY = { name: 'sk', type: AttributeType.STRING };
const NUMERIC_SORT_KEY = { name: 'sk', type: AttributeType.NUMBER };

/** Creates all tables. They outlive the stack if the stage keeps its data. */
export function createTables(scope: Construct, { keepData, events }: Deployment): Tables {
  const removalPolicy = keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
  const createTable = (name: string, props: Omit<TableProps, 'partitionKey'>) =>
    new Table(scope, name, {
      partitionKey: PARTITION_KEY,
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: keepData,
      removalPolicy,
      encryption: TableEncryption.AWS_MANAGED,
      ...props,
    });
  const streamOptions = events ? { stream: StreamViewType.NEW_IMAGE } : {};
  const tables = {
    Directory: createTable('Directory', { sortKey: SORT_KEY, timeToLiveAttribute: 'ttl' }),
    Invoices: createTable('Invoices', { sortKey: SORT_KEY, ...streamOptions }),
    Declarations: createTable('Declarations', { sortKey: NUMERIC_SORT_KEY, ...streamOptions }),
    DayIndexes: createTable('DayIndexes', { sortKey: SORT_KEY, timeToLiveAttribute: 'ttl' }),
    RateCounters: createTable('RateCounters', { timeToLiveAttribute: 'ttl' }),
    // The table has its own encryption key, so that both the policy of a role and the policy of the encryption key must
    // allow a read of the signing keys.
    SigningKeys: createTable('SigningKeys', {
      sortKey: SORT_KEY,
      encryption: TableEncryption.CUSTOMER_MANAGED,
      encryptionKey: createEncryptionKey(scope, 'SigningKeysEncryption', removalPolicy),
    }),
  };
  // The index finds the declarations of a request by its id. Only log entries have the attribute `log_request`.
  tables.Declarations.addGlobalSecondaryIndex({
    indexName: 'requests',
    partitionKey: { name: 'log_request', type: AttributeType.STRING },
  });
  return tables;
}

/** The actions to manage a key. The list omits `kms:CreateGrant` on purpose: who creates a grant can use the key. */
const MANAGEMENT_ACTIONS = [
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
const READ_ACTIONS = ['kms:Decrypt', 'kms:DescribeKey'];
/** The additional permissions of a caller that writes to a table. */
const WRITE_ACTIONS = ['kms:Encrypt', 'kms:GenerateDataKey', 'kms:ReEncryptFrom', 'kms:ReEncryptTo'];
/** The additional permissions of the principal that creates a table with the key. */
const CREATE_ACTIONS = ['kms:GenerateDataKeyWithoutPlaintext', 'kms:CreateGrant'];

/**
 * Creates the encryption key of a table. An IAM policy of the account can allow a principal to manage the key, but not
 * to use it, because only the policy of the key can allow that. A principal that can manage the key can also change its
 * policy.
 */
function createEncryptionKey(scope: Construct, id: string, removalPolicy: RemovalPolicy): Key {
  const accountStatement = { principals: [new AccountRootPrincipal()], resources: ['*'] };
  // When CloudFormation creates the table, DynamoDB creates grants with the permissions of CloudFormation's role. AWS
  // lists the minimum of these permissions in "DynamoDB encryption at rest usage notes". The role is in a condition
  // and not as the principal, because a policy with a principal that does not exist is invalid.
  const { cloudFormationExecutionRoleArn } = Stack.of(scope).synthesizer as DefaultStackSynthesizer;
  const deploymentConditions = {
    ...buildDynamoDbCondition(scope),
    ArnEquals: { 'aws:PrincipalArn': Fn.sub(cloudFormationExecutionRoleArn) },
  };
  const policy = new PolicyDocument({
    statements: [
      new PolicyStatement({ ...accountStatement, actions: MANAGEMENT_ACTIONS }),
      new PolicyStatement({
        ...accountStatement,
        actions: [...READ_ACTIONS, ...WRITE_ACTIONS, ...CREATE_ACTIONS],
        conditions: deploymentConditions,
      }),
    ],
  });
  return new Key(scope, id, { enableKeyRotation: true, removalPolicy, policy });
}

/** Allows a role to use the encryption key of a table, only through DynamoDB; `isWriter` includes writes. */
export function allowKeyUse(key: IKey, role: IPrincipal, { isWriter }: { isWriter: boolean }): void {
  const actions = isWriter ? [...READ_ACTIONS, ...WRITE_ACTIONS] : READ_ACTIONS;
  const conditions = buildDynamoDbCondition(key);
  key.addToResourcePolicy(new PolicyStatement({ actions, conditions, principals: [role], resources: ['*'] }));
  // Earlier versions of the stack use only this statement. With both statements,
  // no login fails during a deployment or a rollback.
  role.addToPrincipalPolicy(new PolicyStatement({ actions, conditions, resources: [key.keyArn] }));
}

/** Builds the condition that DynamoDB uses the key on behalf of a caller. */
function buildDynamoDbCondition(scope: Construct) {
  return { StringEquals: { 'kms:ViaService': `dynamodb.${Stack.of(scope).region}.amazonaws.com` } };
}
