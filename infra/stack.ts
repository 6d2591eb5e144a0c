import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { createAlarmTopic } from './constructs/alarm-topic.ts';
import { createAlarms } from './constructs/alarms.ts';
import { bundleFunctions } from './constructs/bundles.ts';
import { createDashboard } from './constructs/dashboard.ts';
import { createInvoiceApi } from './constructs/invoice-api.ts';
import { rotateSigningKey } from './constructs/signing-key-rotation.ts';
import { createTables } from './constructs/tables.ts';
import type { Deployment } from './options.ts';
import { version } from './version.ts';

/**
 * The whole service: tables, functions, REST API, what watches them, and the outputs that the operators' command line
 * reads.
 */
export class InvoiceServiceStack extends Stack {
  constructor(scope: Construct, deployment: Deployment) {
    super(scope, deployment.stackName);
    bundleFunctions(this);
    const tables = createTables(this, deployment);
    const { url, ...invoiceApi } = createInvoiceApi(this, tables, deployment);
    const rotation = rotateSigningKey(this, tables, deployment);

    const service = { ...invoiceApi, tables, rotation };
    const topic = createAlarmTopic(this, deployment);
    createDashboard(this, service, createAlarms(this, service, topic, deployment));

    new CfnOutput(this, 'Version', { value: version() });
    new CfnOutput(this, 'ApiUrl', { value: url });
    new CfnOutput(this, 'AlarmTopic', { value: topic.topicArn });
    new CfnOutput(this, 'RotationFunction', { value: rotation.handler.functionName });
    for (const [name, table] of Object.entries(tables)) new CfnOutput(this, `${name}Table`, { value: table.tableName });
  }
}
