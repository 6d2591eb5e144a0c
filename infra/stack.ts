import { App, type AppProps, CfnOutput, CfnParameter, Stack, Validations } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import recommendedFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { AwsSolutionsChecks } from 'cdk-nag';
import type { Construct } from 'constructs';
import packageJson from '../package.json' with { type: 'json' };
import { createAlarms } from './constructs/alarms.ts';
import { bundleFunctions } from './constructs/bundles.ts';
import { createDashboard } from './constructs/dashboard.ts';
import { createEventPublishing } from './constructs/event-publishing.ts';
import { createInvoiceApi } from './constructs/invoice-api.ts';
import { createOperatorPolicies } from './constructs/operator-policies.ts';
import { addCustomResourceLogs, createSigningKeyRotation } from './constructs/service-function.ts';
import { createTables } from './constructs/tables.ts';
import { type Deployment, readDeployment } from './config.ts';
import type { StageOptionsTable } from './stages.ts';

/** Creates the CDK application: the stack with the options of its stage, and the checks of every synthesis. */
export function createApp(stageOptions?: StageOptionsTable, props: AppProps = {}): App {
  const app = new App({ ...props, context: { ...recommendedFlags, ...props.context } });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  new InvoiceServiceStack(app, readDeployment(app.node.getAllContext(), stageOptions));
  return app;
}

/** The stack of the whole service. The operators' command line reads its outputs. */
class InvoiceServiceStack extends Stack {
  constructor(scope: Construct, deployment: Deployment) {
    const { stackName, account, region, tags, keepData } = deployment;
    // An absent account or region is omitted, because the types of the CDK do not allow undefined.
    const env = { ...(account && { account }), ...(region && { region }) };
    super(scope, stackName, { env, tags, terminationProtection: keepData });
    bundleFunctions(this);
    const tables = createTables(this, deployment);
    const { url, aliases, ...invoiceApi } = createInvoiceApi(this, tables, deployment);
    const rotation = createSigningKeyRotation(this, tables, deployment);
    const events = deployment.events ? createEventPublishing(this, tables, deployment) : undefined;
    createOperatorPolicies(this, tables, rotation);

    if (deployment.monitored) {
      const service = { ...invoiceApi, tables, rotation, events };
      const alarms = createAlarms(this, service, deployment);
      createDashboard(this, service, [...alarms.values()]);
      if (deployment.canary) addCanaryDeployment(this, aliases, alarms);
    }

    const stageParameter = createStageParameter(this, deployment);
    const outputs = {
      DeployedStage: [stageParameter.valueAsString, 'The stage of the stack.'],
      Version: [packageJson.version, 'The deployed version of the service.'],
      ApiUrl: [url, 'The address of the API, to which clients add the path of an endpoint.'],
      RotationFunction: [rotation.handler.functionName, 'The function that replaces the signing key of the tokens.'],
    } as const;
    for (const [name, [value, description]] of Object.entries(outputs)) {
      new CfnOutput(this, name, { value, description });
    }
    for (const [name, { tableName }] of Object.entries(tables)) {
      new CfnOutput(this, `${name}Table`, { value: tableName, description: `The table ${name}.` });
    }
    addCustomResourceLogs(this, deployment);
  }
}

/** Creates a parameter that allows only this stage. An update keeps its old value, which another stage would reject. */
function createStageParameter(scope: Construct, { stage }: Deployment): CfnParameter {
  return new CfnParameter(scope, 'Stage', {
    default: stage,
    allowedValues: [stage],
    constraintDescription: `the stack was deployed as another stage than ${stage}`,
  });
}

/** Sends only a tenth of the requests to a new version for five minutes. An alarm rolls the deployment back. */
function addCanaryDeployment(
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
    const alarmNames = ['server-errors', `${name}-errors`, `${name}-latency`];
    // With canary deployments, every function has these alarms, so that none is undefined.
    const decidingAlarms = alarmNames.map((alarmName) => alarms.get(alarmName)!);
    new LambdaDeploymentGroup(scope, `${name}-release`, {
      application,
      alias,
      role,
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      alarms: decidingAlarms,
    });
    // Otherwise, requests could be shifted while the alarms still measure the previous version.
    alias.node.addDependency(...decidingAlarms);
  }
}
