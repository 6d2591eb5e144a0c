import { App, CfnOutput, CfnParameter, Stack, Validations } from 'aws-cdk-lib';
import recommendedFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { AwsSolutionsChecks } from 'cdk-nag';
import type { Construct } from 'constructs';
import { createAlarms, createAlarmTopic } from './constructs/alarms.ts';
import { bundleFunctions } from './constructs/bundles.ts';
import { addCanaryDeployment } from './constructs/canary.ts';
import { createDashboard } from './constructs/dashboard.ts';
import { publishEvents } from './constructs/event-publishing.ts';
import { createInvoiceApi } from './constructs/invoice-api.ts';
import { rotateSigningKey } from './constructs/signing-key-rotation.ts';
import { createTables } from './constructs/tables.ts';
import { type Deployment, readDeployment } from './options.ts';
import { version } from './version.ts';

/** Creates the CDK application: the stack for the options, and the checks that every synthesis must pass. */
export function createApp(settings: { outdir?: string; context?: Record<string, unknown> } = {}): App {
  const app = new App({ ...settings, context: { ...recommendedFlags, ...settings.context } });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  new InvoiceServiceStack(app, readDeployment(app.node.getAllContext()));
  return app;
}

/**
 * The whole service: tables, functions, REST API, alarms and dashboard, and the outputs that the operators' command
 * line reads.
 */
class InvoiceServiceStack extends Stack {
  constructor(scope: Construct, deployment: Deployment) {
    super(scope, deployment.stackName);
    bundleFunctions(this);
    const tables = createTables(this, deployment);
    const { url, aliases, ...invoiceApi } = createInvoiceApi(this, tables, deployment);
    const rotation = rotateSigningKey(this, tables, deployment);

    const events = deployment.events ? publishEvents(this, tables, deployment) : undefined;

    if (deployment.monitored) {
      const service = { ...invoiceApi, tables, rotation, events };
      const topic = createAlarmTopic(this, deployment);
      const alarms = createAlarms(this, service, topic, deployment);
      createDashboard(this, service, [...alarms.values()]);
      if (deployment.canary) addCanaryDeployment(this, aliases, alarms);
      new CfnOutput(this, 'AlarmTopic', { value: topic.topicArn });
    }

    // The CDK deploys an update with the value that the stack has: CloudFormation rejects the template of another stage,
    // which could drop the protection of the tables.
    const stage = new CfnParameter(this, 'Stage', {
      default: deployment.stage,
      allowedValues: [deployment.stage],
      constraintDescription: `the stack was deployed as another stage than ${deployment.stage}`,
    });
    new CfnOutput(this, 'DeployedStage', { value: stage.valueAsString });
    new CfnOutput(this, 'Version', { value: version() });
    new CfnOutput(this, 'ApiUrl', { value: url });
    new CfnOutput(this, 'RotationFunction', { value: rotation.handler.functionName });
    for (const [name, table] of Object.entries(tables)) new CfnOutput(this, `${name}Table`, { value: table.tableName });
  }
}
