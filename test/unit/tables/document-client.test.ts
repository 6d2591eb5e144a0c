import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, expect, it, vi } from 'vitest';
import { buildEngineEnvironment } from '../../../infra/local/engine-client.ts';
import { currentUsage, withinDeadline } from '../../../lib/runtime/request-scope.ts';
import { createDocumentClient, withoutRetry } from '../../../lib/tables/dynamodb/document-client.ts';

afterEach(() => vi.unstubAllEnvs());

const update = () => new UpdateCommand({ TableName: 'T', Key: { pk: 'p' } });

/** How many attempts a client makes at a call that nobody answers. */
async function attemptsAt(command: UpdateCommand): Promise<number> {
  const nobody = buildEngineEnvironment('http://127.0.0.1:1');
  for (const [name, value] of Object.entries(nobody)) vi.stubEnv(name, value);
  const client = createDocumentClient({ region: 'us-east-1' });
  const work = async () => {
    await expect(client.send(command)).rejects.toThrow('ECONNREFUSED');
    return currentUsage().calls;
  };
  return withinDeadline(() => 9_000, work);
}

it('a document client makes three attempts at a call, and one where the command asks for it', async () => {
  expect(await attemptsAt(update())).toBe(3);
  expect(await attemptsAt(withoutRetry(update()))).toBe(1);
});
