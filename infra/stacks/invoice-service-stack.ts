import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { createInvoiceApi } from '../constructs/invoice-api.ts';
import { rotateSigningKey } from '../constructs/signing-key-rotation.ts';
import { createTables } from '../constructs/tables.ts';

/** The whole service: tables, functions, REST API, and the outputs that the operators' command line reads. */
export class InvoiceServiceStack extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    const tables = createTables(this);
    const api = createInvoiceApi(this, tables);
    const rotation = rotateSigningKey(this, tables);

    new CfnOutput(this, 'ApiUrl', { value: api.url });
    new CfnOutput(this, 'RotationFunction', { value: rotation.functionName });
    for (const [name, table] of Object.entries(tables)) new CfnOutput(this, `${name}Table`, { value: table.tableName });
  }
}
