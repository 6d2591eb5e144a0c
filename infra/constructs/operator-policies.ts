import { Aws, CfnOutput, Stack, Validations } from 'aws-cdk-lib';
import { Effect, ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { OPERATOR_POLICIES, TENANT_KEYS, TENANT_CONDITION_KEY } from '../operator-access.ts';
import type { SigningKeyRotation } from './service-function.ts';
import { buildTableStatements } from './table-permissions.ts';
import type { Tables } from './tables.ts';

/** Creates the managed policies for operators. The deployer attaches them to roles or permission sets. */
export function createOperatorPolicies(scope: Construct, tables: Tables, rotation: SigningKeyRotation): void {
  const otherStatements = buildOtherStatements(scope, tables, rotation);
  for (const [name, { description, tables: tableActions }] of Object.entries(OPERATOR_POLICIES)) {
    const tableStatements = buildTableStatements(tables, tableActions);
    const statements = [...tableStatements, ...otherStatements[name as keyof typeof OPERATOR_POLICIES]];
    const policy = new ManagedPolicy(scope, name, { description, statements });
    Validations.of(policy).acknowledge({
      id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:cloudformation:<AWS::Region>:<AWS::AccountId>:stack/${Stack.of(scope).stackName}/*]`,
      reason: 'The ARN of a stack ends with its unique id, which a call by name does not contain.',
    });
    // The description of a policy begins with a verb, such as "Imports".
    const action = description.charAt(0).toLowerCase() + description.slice(1);
    new CfnOutput(scope, `${name}Policy`, {
      value: policy.managedPolicyArn,
      description: `The managed policy that ${action}`,
    });
  }
}

/** Builds the statements of each policy that are not actions on items: those of operator-access.ts are added to them. */
function buildOtherStatements(scope: Construct, tables: Tables, rotation: SigningKeyRotation) {
  const { stackName } = Stack.of(scope);
  const stackArnPattern = `arn:${Aws.PARTITION}:cloudformation:${Aws.REGION}:${Aws.ACCOUNT_ID}:stack/${stackName}/*`;
  const tableArns = Object.values(tables).map(({ tableArn }) => tableArn);
  const tablesAndIndexes = tableArns.map((arn) => `${arn}*`);
  const rotateKey = { actions: ['lambda:InvokeFunction'], resources: [rotation.handler.functionArn] };
  const allow = (actions: string[], resources: string[]) => new PolicyStatement({ actions, resources });
  const denyTables = (conditions: object) =>
    new PolicyStatement({ effect: Effect.DENY, actions: ['dynamodb:*'], resources: tablesAndIndexes, conditions });
  return {
    OperatorRead: [
      // The commands read the names of the tables from the outputs of the stack.
      allow(['cloudformation:DescribeStacks'], [stackArnPattern]),
      // The command doctor reads the settings of the tables.
      allow(['dynamodb:DescribeTable', 'dynamodb:DescribeContinuousBackups'], tableArns),
    ],
    OperatorReview: [],
    OperatorAdminister: [new PolicyStatement(rotateKey)],
    OperatorTenant: [
      denyTables({ 'ForAnyValue:StringNotLike': { 'dynamodb:LeadingKeys': TENANT_KEYS } }),
      // The first statement does not match a role without the tag, or a call without keys, such as a scan of all tenants.
      denyTables({ Null: { [TENANT_CONDITION_KEY]: 'true' } }),
      denyTables({ Null: { 'dynamodb:LeadingKeys': 'true' } }),
      // All tenants have the same signing key.
      new PolicyStatement({ ...rotateKey, effect: Effect.DENY }),
    ],
  };
}
