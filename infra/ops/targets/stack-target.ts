import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { OperatorError } from '../operator-errors.ts';
import { createAdminPorts } from '../tables/admin-ports.ts';
import { createDocumentClient } from '../../../lib/tables/dynamodb/document-client.ts';
import type { TableName } from '../../routes.ts';

/** Opens a deployed stack by its outputs. The AWS SDK finds the credentials, and the region if it is undefined. */
export async function openStackTarget(stack: string, region: string | undefined) {
  const where = region === undefined ? {} : { region };
  const outputs = await readOutputs(stack, where);
  const found = [...outputs].flatMap(([name, value]) => (name.endsWith('Table') ? [[name.slice(0, -5), value]] : []));
  if (found.length === 0) throw new OperatorError(`The stack ${stack} has no outputs that name tables.`);
  const tables = Object.fromEntries(found) as Record<TableName, string>;
  const client = createDocumentClient(where);
  return {
    client,
    ports: createAdminPorts({ client, tables }),
    async operator() {
      const { GetCallerIdentityCommand, STSClient } = await import('@aws-sdk/client-sts');
      const { Arn } = await new STSClient(where).send(new GetCallerIdentityCommand());
      if (Arn === undefined) throw new Error('The credentials have no identity.');
      return Arn;
    },
    openEventBus: async () => {
      const bus = outputs.get('EventBus');
      if (bus === undefined)
        throw new OperatorError(`The stack ${stack} has no event bus. Deploy it with -c events=true.`);
      return (await import('../../../lib/events/publish-records.ts')).createEventBus(bus, where);
    },
    rotateSigningKey: async ({ leaked }: { readonly leaked: boolean }): Promise<unknown> => {
      const { InvokeCommand, LambdaClient } = await import('@aws-sdk/client-lambda');
      const FunctionName = outputs.get('RotationFunction');
      const Payload = JSON.stringify({ rotate: true, leaked });
      const answer = await new LambdaClient(where).send(new InvokeCommand({ FunctionName, Payload }));
      if (answer.FunctionError) throw new Error(`The function ${FunctionName} failed. See its log.`);
      return JSON.parse(answer.Payload?.transformToString() ?? 'null');
    },
  };
}

async function readOutputs(stack: string, where: { region?: string }): Promise<ReadonlyMap<string, string>> {
  const client = new CloudFormationClient(where);
  const region = await client.config.region().catch(() => {
    throw new OperatorError('No AWS region is configured. Pass --region R, or set AWS_REGION.');
  });
  const found = await client.send(new DescribeStacksCommand({ StackName: stack })).catch((error: Error) => {
    throw new OperatorError(`The outputs of the stack ${stack} in ${region} cannot be read: ${error.message}`);
  });
  const outputs = found.Stacks?.[0]?.Outputs ?? [];
  return new Map(outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]));
}
