import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { createDocumentClient } from '../../../lib/tables/dynamodb/document-client.ts';
import type { TableName } from '../../routes.ts';
import { type StageName, STAGES } from '../../stages.ts';
import { OperatorError } from '../operator-errors.ts';
import { createAdminPorts } from '../tables/admin-ports.ts';
import { translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';

type Settings = { readonly region?: string };

/**
 * Opens a deployed stack by its outputs. If the region is undefined, the AWS SDK finds it. Throws an OperatorError if the
 * outputs cannot be read. The properties of the target are described in local-target.ts.
 */
export async function openStackTarget(
  stack: string,
  region: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
) {
  const settings = region === undefined ? {} : { region };
  const outputs = await readOutputs(stack, settings);
  const tables = findTables(outputs);
  if (Object.keys(tables).length === 0) throw new OperatorError(`The stack ${stack} has no outputs that name tables.`);
  const client = createDocumentClient(settings);
  const stage = outputs.get('DeployedStage') ?? '';
  // The identity does not change while a command runs.
  let identity: Promise<string> | undefined;
  function operator(): Promise<string> {
    identity ??= readIdentity(settings);
    return identity;
  }
  return {
    client,
    tables,
    outputs,
    async place() {
      const arn = await operator();
      const endpoint = env['AWS_ENDPOINT_URL_DYNAMODB'];
      // The account is the fifth part of `arn:aws:sts::123456789012:assumed-role/Operator/ana`.
      const account = arn.split(':')[4] ?? '';
      const text = translate(opsTexts.target(account, await client.config.region(), stack, stage, arn));
      return endpoint ? text + translate(opsTexts.otherTables(endpoint)) : text;
    },
    // A stage that is not in infra/stages.ts could be a prod of another version.
    keepsData: stage in STAGES ? STAGES[stage as StageName].keepData : true,
    ports: createAdminPorts({ client, tables: tables as Record<TableName, string> }),
    operator,
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

/** Reads the outputs of a stack by their names. Throws an OperatorError if they cannot be read. */
async function readOutputs(stack: string, settings: Settings): Promise<ReadonlyMap<string, string>> {
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

/** Returns the names of the tables. The output `InvoicesTable` contains the name of the table Invoices. */
function findTables(outputs: ReadonlyMap<string, string>): Record<string, string> {
  const tableOutputs = [...outputs].filter(([output]) => output.endsWith('Table'));
  return Object.fromEntries(tableOutputs.map(([output, name]) => [output.replace(/Table$/, ''), name]));
}

/** Reads the ARN of the credentials. */
async function readIdentity(settings: Settings): Promise<string> {
  const { GetCallerIdentityCommand, STSClient } = await import('@aws-sdk/client-sts');
  const { Arn } = await new STSClient(settings).send(new GetCallerIdentityCommand());
  if (Arn === undefined) throw new Error('The credentials have no identity.');
  return Arn;
}
