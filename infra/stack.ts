import { App, type AppProps, CfnOutput, CfnParameter, Stack, Validations } from 'aws-cdk-lib';
import recommendedFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { AwsSolutionsChecks } from 'cdk-nag';
import type { Construct } from 'constructs';
import packageJson from '../package.json' with { type: 'json' };
import { createAlarms } from './constructs/alarms.ts';
import { bundleFunctions } from './constructs/bundles.ts';
import { addCanaryDeployments } from './constructs/canary-deployments.ts';
import { createAlarmTopic } from './constructs/create-alarm.ts';
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
    const env = { ...(account ? { account } : {}), ...(region ? { region } : {}) };
    super(scope, stackName, { env, tags, terminationProtection: keepData });
    bundleFunctions(this);
    const tables = createTables(this, deployment);
    const api = createInvoiceApi(this, tables, deployment);
    const rotation = createSigningKeyRotation(this, tables, deployment);
    const events = deployment.events ? createEventPublishing(this, tables, deployment) : undefined;
    createOperatorPolicies(this, tables, rotation);

    if (deployment.monitored) {
      const topic = createAlarmTopic(this, deployment);
      const { stage, aliases } = api;
      const { serverErrors, otherAlarms } = createAlarms(this, { stage, tables, rotation, events }, topic);
      const canaryAlarms = deployment.canary ? addCanaryDeployments(this, aliases, serverErrors, topic) : [];
      createDashboard(this, api, [serverErrors, ...otherAlarms, ...canaryAlarms]);
    }

    const addOutput = (name: string, description: string, value: string) =>
      new CfnOutput(this, name, { value, description });
    addOutput('DeployedStage', 'The stage of the stack.', createStageParameter(this, deployment).valueAsString);
    addOutput('Version', 'The deployed version of the service.', packageJson.version);
    addOutput('ApiUrl', 'The address of the API, to which clients add the path of an endpoint.', api.url);
    const { functionName } = rotation.handler;
    addOutput('RotationFunction', 'The function that replaces the signing key of the tokens.', functionName);
    for (const [name, { tableName }] of Object.entries(tables)) {
      addOutput(`${name}Table`, `The table ${name}.`, tableName);
    }
    addCustomResourceLogs(this, deployment);
  }
}

/** Creates a parameter that allows only this stage. An update keeps its value, so that it fails for another stage. */
function createStageParameter(scope: Construct, { stage }: Deployment): CfnParameter {
  return new CfnParameter(scope, 'Stage', {
    default: stage,
    allowedValues: [stage],
    constraintDescription: `the stack was deployed as another stage than ${stage}`,
  });
}
