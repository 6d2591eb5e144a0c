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
 * Creates the encryption key of a table. The policy of the key delegates only the management of the key to the IAM
 * policies of the account. A principal can use the key only if the policy of the key names it (`allowKeyUse`). A
 * principal that can manage the key can also change this policy.
 */
export function createEncryptionKey(scope: Construct, id: string, removalPolicy: RemovalPolicy): Key {
  const anyPrincipalOfAccount = { principals: [new AccountRootPrincipal()], resources: ['*'] };
  // The role of CloudFormation creates the table, and therefore needs the permissions that AWS lists in "DynamoDB
  // encryption at rest usage notes". A condition names the role, because KMS rejects a policy with a principal that
  // does not exist, and a synthesized template cannot know if the role exists.
  const { cloudFormationExecutionRoleArn } = Stack.of(scope).synthesizer as DefaultStackSynthesizer;
  const onlyDeployments = {
    ...buildDynamoDbCondition(scope),
    ArnEquals: { 'aws:PrincipalArn': Fn.sub(cloudFormationExecutionRoleArn) },
  };
  const policy = new PolicyDocument({
    statements: [
      new PolicyStatement({ ...anyPrincipalOfAccount, actions: MANAGEMENT_ACTIONS }),
      new PolicyStatement({
        ...anyPrincipalOfAccount,
        actions: [...READ_ACTIONS, ...WRITE_ACTIONS, ...CREATE_ACTIONS],
        conditions: onlyDeployments,
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
