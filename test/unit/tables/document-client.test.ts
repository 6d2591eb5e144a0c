import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, expect, it, vi } from 'vitest';
import { buildEngineEnvironment } from '../../../infra/local/engine-client.ts';
import { getCurrentUsage, runWithinDeadline } from '../../../lib/runtime/request-scope.ts';
import { createDocumentClient, disableRetries } from '../../../lib/tables/dynamodb/document-client.ts';

afterEach(() => vi.unstubAllEnvs());

const update = () => new UpdateCommand({ TableName: 'T', Key: { pk: 'p' } });

/** Counts the attempts of a client at a call to a port without a server. */
async function countAttempts(command: UpdateCommand): Promise<number> {
  const variables = buildEngineEnvironment('http://127.0.0.1:1');
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const client = createDocumentClient({ region: 'us-east-1' });
  const work = async () => {
    await expect(client.send(command)).rejects.toThrow('ECONNREFUSED');
    return getCurrentUsage().calls;
  };
  return runWithinDeadline(() => 9_000, work);
}

it('a document client makes three attempts at a call, and one if the command is marked withoutRetry', async () => {
  expect(await countAttempts(update())).toBe(3);
  expect(await countAttempts(disableRetries(update()))).toBe(1);
});
