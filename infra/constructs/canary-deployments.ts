import { Duration, Validations } from 'aws-cdk-lib';
import { type Alarm, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { type AlarmDefinition, createAlarm } from './create-alarm.ts';

/** The alias that the API calls, by the name of its function. */
type Aliases = Readonly<Record<string, Alias>>;

/**
 * Sends only a tenth of the requests to a new version of a function for five minutes. An alarm in this time rolls the
 * deployment back: `serverErrors`, or one of the alarms of the new version. Returns the alarms of all new versions.
 */
export function addCanaryDeployments(scope: Construct, aliases: Aliases, serverErrors: Alarm, topic: Topic): Alarm[] {
  const application = new LambdaApplication(scope, 'Releases');
  const role = createReleaseRole(scope);
  const allVersionAlarms: Alarm[] = [];
  for (const [name, alias] of Object.entries(aliases)) {
    const versionAlarms = listVersionAlarms(name, alias).map((definition) => createAlarm(scope, definition, topic));
    allVersionAlarms.push(...versionAlarms);
    const alarms = [serverErrors, ...versionAlarms];
    const deploymentConfig = LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES;
    new LambdaDeploymentGroup(scope, `${name}-release`, { application, alias, role, deploymentConfig, alarms });
    // The update of the alias shifts the requests. It follows the alarms, so that they already measure the new version.
    alias.node.addDependency(...alarms);
  }
  return allVersionAlarms;
}

function createReleaseRole(scope: Construct): Role {
  const role = new Role(scope, 'ReleaseRole', {
    assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
    managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSCodeDeployRoleForLambdaLimited')],
  });
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
    reason: 'This managed policy is what AWS documents for the role with which CodeDeploy shifts requests.',
  });
  return role;
}

/** Lists the alarms of the new version of an alias. The dimension ExecutedVersion excludes the previous version. */
function listVersionAlarms(name: string, { lambda, aliasName, version }: Alias): AlarmDefinition[] {
  const dimensionsMap = {
    FunctionName: lambda.functionName,
    Resource: `${lambda.functionName}:${aliasName}`,
    ExecutedVersion: version.version,
  };
  const options = { period: Duration.minutes(1), dimensionsMap };
  const errors = lambda.metricErrors(options);
  const latencyMs = lambda.metricDuration({ ...options, statistic: Stats.p(99) });
  return [
    { name: `${name}-errors`, metric: errors, periods: { above: 2, latest: 5 } },
    { name: `${name}-latency`, metric: latencyMs, threshold: 3000, periods: { above: 3, latest: 5 } },
  ];
}
