import { existsSync } from 'node:fs';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createDocumentClient } from '../../lib/storage/document-client.ts';
import { localEngine } from '../config.ts';
import { engineClient } from '../local/client.ts';
import { readStack } from '../local/read-stack.ts';
import { synthesize, templateFile } from '../local/synthesize.ts';
import type { TableName } from '../routes.ts';
import { UsageError } from './usage-error.ts';

/** The installation that a command works on. */
export interface Target {
  readonly client: DynamoDBDocumentClient;
  readonly tables: Readonly<Record<TableName, string>>;
}

/** The options with which every command is told its target. */
export const targetOptions = { local: { type: 'boolean' }, stack: { type: 'string' } } as const;

/** What those options say. */
export interface TargetChoice {
  readonly local?: boolean | undefined;
  readonly stack?: string | undefined;
}

const DEFAULT_ENGINE = 'http://127.0.0.1:8000';

/** Opens the target that the options name; throws a UsageError unless that is exactly one, and there. */
export async function openTarget({ local = false, stack }: TargetChoice): Promise<Target> {
  if (local === (stack !== undefined)) throw new UsageError('Name one target: --local or --stack NAME.');
  if (stack !== undefined) return { client: createDocumentClient(), tables: await tablesOfStack(stack) };
  // The local gateway names the tables after the template that it was started from.
  if (!existsSync(templateFile)) await synthesize({ quiet: true });
  const endpoint = localEngine.endpoint ?? DEFAULT_ENGINE;
  await fetch(endpoint).catch(() => {
    throw new UsageError(`No engine answers at ${endpoint}; npm start starts one.`);
  });
  return localTarget(endpoint, readStack().tableNames);
}

/** An engine on this machine. */
export function localTarget(endpoint: string, tables: Target['tables']): Target {
  const client = DynamoDBDocumentClient.from(engineClient(endpoint), {
    marshallOptions: { removeUndefinedValues: true },
    unmarshallOptions: { wrapNumbers: true },
  });
  return { client, tables };
}

async function tablesOfStack(stack: string): Promise<Target['tables']> {
  const suffix = /Table$/;
  const request = new CloudFormationClient().send(new DescribeStacksCommand({ StackName: stack }));
  const found = await request.catch((error: Error) => {
    throw new UsageError(`The outputs of the stack ${stack} cannot be read: ${error.message}`);
  });
  const outputs = (found.Stacks?.[0]?.Outputs ?? []).filter(({ OutputKey = '' }) => suffix.test(OutputKey));
  if (outputs.length === 0) throw new UsageError(`The stack ${stack} has no outputs that name tables.`);
  return Object.fromEntries(
    outputs.map(({ OutputKey = '', OutputValue }) => [OutputKey.replace(suffix, ''), OutputValue]),
  ) as Record<TableName, string>;
}
