import { type DefaultStackSynthesizer, Fn, type RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AccountRootPrincipal, type IPrincipal, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';

/** Administration without `kms:CreateGrant`, with which an administrator could use the key. */
const administrationActions = [
  ...['kms:Describe*', 'kms:Get*', 'kms:List*', 'kms:Put*', 'kms:Update*', 'kms:Enable*', 'kms:Disable*'],
  ...['kms:RevokeGrant', 'kms:ScheduleKeyDeletion', 'kms:CancelKeyDeletion', 'kms:TagResource', 'kms:UntagResource'],
];
/** The permissions that a caller of DynamoDB needs to open a table, and to write to it. */
const readActions = ['kms:Decrypt', 'kms:DescribeKey'];
const writeActions = ['kms:Encrypt', 'kms:GenerateDataKey', 'kms:ReEncryptFrom', 'kms:ReEncryptTo'];
/** The additional permissions of the principal that creates a table with the key. */
const createActions = ['kms:GenerateDataKeyWithoutPlaintext', 'kms:CreateGrant'];

/**
 * Creates the encryption key of a table. IAM policies of the account can administrate the key, but not use it: only its
 * own policy decides about that. Administrators can change this policy, so that the key stays manageable.
 */
export function createEncryptionKey(scope: Construct, id: string, removalPolicy: RemovalPolicy): Key {
  const account = { principals: [new AccountRootPrincipal()], resources: ['*'] };
  // On behalf of the principal that creates a table, DynamoDB creates the grants by which it maintains the table; AWS
  // lists these permissions as its minimum ("DynamoDB encryption at rest usage notes"). The role of CloudFormation is in
  // a condition, because a policy cannot name a principal that does not exist.
  const { cloudFormationExecutionRoleArn } = Stack.of(scope).synthesizer as DefaultStackSynthesizer;
  const deployment = { ArnEquals: { 'aws:PrincipalArn': Fn.sub(cloudFormationExecutionRoleArn) } };
  const policy = new PolicyDocument({
    statements: [
      new PolicyStatement({ ...account, actions: administrationActions }),
      new PolicyStatement({
        ...account,
        actions: [...readActions, ...writeActions, ...createActions],
        conditions: { ...throughDynamoDb(scope), ...deployment },
      }),
    ],
  });
  return new Key(scope, id, { enableKeyRotation: true, removalPolicy, policy });
}

/** Allows a role to use the encryption key of a table, through DynamoDB alone. */
export function allowKeyUse(key: IKey, role: IPrincipal, { canWrite }: { canWrite: boolean }): void {
  const actions = [...readActions, ...(canWrite ? writeActions : [])];
  const conditions = throughDynamoDb(key);
  key.addToResourcePolicy(new PolicyStatement({ actions, conditions, principals: [role], resources: ['*'] }));
  // Earlier versions use only this statement: with both, no login fails during a deployment or a rollback.
  role.addToPrincipalPolicy(new PolicyStatement({ actions, conditions, resources: [key.keyArn] }));
}

function throughDynamoDb(scope: Construct) {
  return { StringEquals: { 'kms:ViaService': `dynamodb.${Stack.of(scope).region}.amazonaws.com` } };
}
