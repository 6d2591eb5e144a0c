import { Validations } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';

/**
 * Gives a new version of each function behind an alias a tenth of its requests for five minutes, and then all; while
 * one of its alarms is on, the version before gets them all back, and CloudFormation undoes the deployment.
 */
export function tryVersionsFirst(
  scope: Construct,
  aliases: Readonly<Record<string, Alias>>,
  alarms: ReadonlyMap<string, Alarm>,
): void {
  const application = new LambdaApplication(scope, 'Releases');
  const role = new Role(scope, 'ReleaseRole', {
    assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
    managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSCodeDeployRoleForLambdaLimited')],
  });
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
    reason: 'This managed policy is what AWS documents for the role with which CodeDeploy shifts requests.',
  });
  for (const [name, alias] of Object.entries(aliases)) {
    const names = ['server-errors', `${name}-errors`, `${name}-latency`];
    const deciding = names.flatMap((one) => alarms.get(one) ?? []);
    new LambdaDeploymentGroup(scope, `${name}-release`, {
      application,
      alias,
      role,
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      alarms: deciding,
    });
    // Else requests might be shifted while the alarms still look at the version before.
    alias.node.addDependency(...deciding);
  }
}
