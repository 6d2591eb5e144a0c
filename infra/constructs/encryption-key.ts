import { type DefaultStackSynthesizer, Fn, type RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AccountRootPrincipal, type IPrincipal, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';

/** The actions to manage a key. The list omits `kms:CreateGrant`, because a principal that creates a grant can use the key. */
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
export function createEncryptionKey(scope: Construct, id: string, removalPolicy: RemovalPolicy): Key {
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

/** Allows a role to use the encryption key of a table, but only through DynamoDB. A writer can also encrypt. */
export function allowKeyUse(key: IKey, role: IPrincipal, { isWriter }: { isWriter: boolean }): void {
  const actions = isWriter ? [...READ_ACTIONS, ...WRITE_ACTIONS] : READ_ACTIONS;
  const conditions = buildDynamoDbCondition(key);
  key.addToResourcePolicy(new PolicyStatement({ actions, conditions, principals: [role], resources: ['*'] }));
}

function buildDynamoDbCondition(scope: Construct) {
  return { StringEquals: { 'kms:ViaService': `dynamodb.${Stack.of(scope).region}.amazonaws.com` } };
}
