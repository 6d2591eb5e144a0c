import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { OperatorError } from '../operator-errors.ts';
import { translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import { createAdminPorts } from '../tables/admin-ports.ts';
import { createDocumentClient } from '../../../lib/tables/dynamodb/document-client.ts';
import type { TableName } from '../../routes.ts';
import { type StageName, STAGES } from '../../stages.ts';

/** Opens a deployed stack by its outputs. If the region is undefined, the AWS SDK finds it. */
export async function openStackTarget(
  stack: string,
  region: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
) {
  const settings = region === undefined ? {} : { region };
  const outputs = await readOutputs(stack, settings);
  // The output `InvoicesTable` contains the name of the table Invoices.
  const tableOutputs = [...outputs].filter(([name]) => name.endsWith('Table'));
  if (tableOutputs.length === 0) throw new OperatorError(`The stack ${stack} has no outputs that name tables.`);
  const tables = Object.fromEntries(tableOutputs.map(([name, value]) => [name.replace(/Table$/, ''), value]));
  const client = createDocumentClient(settings);
  const stage = outputs.get('DeployedStage') ?? '';
  // The identity does not change while a command runs.
  let identity: Promise<string> | undefined;
  const operator = () => (identity ??= readIdentity(settings));
  return {
    client,
    tables,
    outputs,
    async place() {
      const arn = await operator();
      const endpoint = env['AWS_ENDPOINT_URL_DYNAMODB'];
      const [, , , , account = ''] = arn.split(':');
      const text = translate(opsTexts.place(account, await client.config.region(), stack, stage, arn));
      return endpoint ? text + translate(opsTexts.otherTables(endpoint)) : text;
    },
    // A stage that is not in infra/stages.ts could be a prod of another version.
    keepsData: stage in STAGES ? STAGES[stage as StageName].keepData : true,
    ports: createAdminPorts({ client, tables: tables as Record<TableName, string> }),
    operator,
    findEventBus: async () => {
      const bus = outputs.get('EventBus');
      if (bus !== undefined) return { bus, settings };
      throw new OperatorError(`The stack ${stack} has no event bus. Deploy it with the option events.`);
    },
    rotateSigningKey: async ({ leaked }: { readonly leaked: boolean }): Promise<unknown> => {
      const { InvokeCommand, LambdaClient } = await import('@aws-sdk/client-lambda');
      const FunctionName = outputs.get('RotationFunction');
      const Payload = JSON.stringify({ rotate: true, leaked });
      const response = await new LambdaClient(settings).send(new InvokeCommand({ FunctionName, Payload }));
      if (response.FunctionError) throw new Error(`The function ${FunctionName} failed. See its log.`);
      return JSON.parse(response.Payload?.transformToString() ?? 'null');
    },
  };
}

/** Reads the ARN of the credentials. */
async function readIdentity(settings: { region?: string }): Promise<string> {
  const { GetCallerIdentityCommand, STSClient } = await import('@aws-sdk/client-sts');
  const { Arn } = await new STSClient(settings).send(new GetCallerIdentityCommand());
  if (Arn === undefined) throw new Error('The credentials have no identity.');
  return Arn;
}

async function readOutputs(stack: string, settings: { region?: string }): Promise<ReadonlyMap<string, string>> {
  const client = new CloudFormationClient(settings);
  const region = await client.config.region().catch(() => {
    throw new OperatorError('No AWS region is configured. Pass --region R, or set AWS_REGION.');
  });
  const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: stack })).catch((error: Error) => {
    throw new OperatorError(`The outputs of the stack ${stack} in ${region} cannot be read: ${error.message}`);
  });
  const outputs = Stacks?.[0]?.Outputs ?? [];
  return new Map(outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]));
}
