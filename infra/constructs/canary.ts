import { Validations } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';

/**
 * Sends a tenth of the requests to a new version of each function for five minutes, and then all. If one of its alarms
 * starts, the previous version receives all requests again, and CloudFormation rolls the deployment back.
 */
export function addCanaryDeployment(
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
    // Otherwise, requests could be shifted while the alarms still measure the previous version.
    alias.node.addDependency(...deciding);
  }
}
