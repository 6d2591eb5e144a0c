import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { createDocumentClient } from '../../../lib/tables/dynamodb/document-client.ts';
import type { TableName } from '../../routes.ts';
import { STAGES, type StageSettings } from '../../stages.ts';
import { OperatorError } from '../operator-errors.ts';
import type { HostProcess } from '../output/output.ts';
import { createAdminPorts } from '../tables/admin-ports.ts';
import { translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import type { Target } from './target.ts';

/** The settings of every AWS client of a command. */
type ClientSettings = { readonly region?: string };

type Outputs = ReadonlyMap<string, string>;

/**
 * Opens a deployed stack by its name. The outputs of the stack contain the names of its tables. If the region is
 * undefined, the AWS SDK finds it. Throws an OperatorError if the outputs cannot be read.
 */
export async function openStackTarget(
  stack: string,
  region: string | undefined,
  env: HostProcess['env'],
): Promise<Target> {
  const settings: ClientSettings = region === undefined ? {} : { region };
  const outputs = await readOutputs(stack, settings);
  const tables = findTables(outputs, stack);
  const client = createDocumentClient(settings);
  const stage = outputs.get('DeployedStage') ?? '';
  const stages: Readonly<Record<string, StageSettings>> = STAGES;
  // The identity does not change while a command runs, so it is requested only once.
  let identity: Promise<string> | undefined;
  const readIdentity = () => (identity ??= requestCallerArn(settings));

  async function describeTarget(): Promise<string> {
    const arn = await readIdentity();
    // The account is the fifth part of `arn:aws:sts::123456789012:assumed-role/Operator/ana`.
    const account = arn.split(':')[4] ?? '';
    const description = translate(opsTexts.target(account, await client.config.region(), stack, stage, arn));
    const endpoint = env['AWS_ENDPOINT_URL_DYNAMODB'];
    return endpoint ? description + translate(opsTexts.otherTables(endpoint)) : description;
  }
  return {
    client,
    tables,
    outputs,
    describeTarget,
    // A stage that is not in infra/stages.ts of this version is treated like prod, which keeps its data.
    keepsData: stages[stage]?.keepData ?? true,
    ports: createAdminPorts({ client, tables }),
    readIdentity,
    rotateSigningKey: ({ leaked }) => invokeRotation(outputs.get('RotationFunction'), leaked, settings),
  };
}

/** Reads the outputs of a stack by their names. Throws an OperatorError if they cannot be read. */
async function readOutputs(stack: string, settings: ClientSettings): Promise<Outputs> {
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
function findTables(outputs: Outputs, stack: string): Readonly<Record<TableName, string>> {
  const tableOutputs = [...outputs].filter(([output]) => output.endsWith('Table'));
  if (tableOutputs.length === 0) throw new OperatorError(`The stack ${stack} has no outputs that name tables.`);
  // infra/stack.ts adds one output for each table, so the names are complete.
  const tables = Object.fromEntries(tableOutputs.map(([output, name]) => [output.replace(/Table$/, ''), name]));
  return tables as Record<TableName, string>;
}

/** Requests the ARN of the credentials. */
async function requestCallerArn(settings: ClientSettings): Promise<string> {
  // Few commands need this client, so it is not imported at the start.
  const { GetCallerIdentityCommand, STSClient } = await import('@aws-sdk/client-sts');
  const { Arn: arn } = await new STSClient(settings).send(new GetCallerIdentityCommand());
  if (arn === undefined) throw new Error('The credentials have no identity.');
  return arn;
}

/** Invokes the function that rotates the signing key, and returns its result. */
async function invokeRotation(name: string | undefined, leaked: boolean, settings: ClientSettings): Promise<unknown> {
  const { InvokeCommand, LambdaClient } = await import('@aws-sdk/client-lambda');
  const command = new InvokeCommand({ FunctionName: name, Payload: JSON.stringify({ rotate: true, leaked }) });
  const response = await new LambdaClient(settings).send(command);
  if (response.FunctionError) throw new Error(`The function ${name} failed. See its log.`);
  return JSON.parse(response.Payload?.transformToString() ?? 'null');
}
