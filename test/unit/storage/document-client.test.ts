import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { engineEnvironment } from '../../../infra/local/engine-client.ts';
import { createDocumentClient, keepSigner, withoutRetry } from '../../../lib/storage/dynamodb/document-client.ts';

afterEach(() => vi.unstubAllEnvs());

const update = () => new UpdateCommand({ TableName: 'T', Key: { pk: 'p' } });

/** How many attempts a client makes at a call that nobody answers. */
async function attemptsAt(command: UpdateCommand): Promise<number> {
  const nobody = engineEnvironment('http://127.0.0.1:1');
  for (const [name, value] of Object.entries(nobody)) vi.stubEnv(name, value);
  const onCall = vi.fn<() => void>();
  const client = createDocumentClient({ region: 'us-east-1', onCall });
  await expect(client.send(command)).rejects.toThrow('ECONNREFUSED');
  return onCall.mock.calls.length;
}

describe('a document client', () => {
  it('makes three attempts at a call, and one where the command asks for it', async () => {
    expect(await attemptsAt(update())).toBe(3);
    expect(await attemptsAt(withoutRetry(update()))).toBe(1);
  });

  it('prepares nothing for a logger, which it does not have', () => {
    const middleware = createDocumentClient({ region: 'us-east-1' }).middlewareStack.identify();
    expect(middleware).toContainEqual(expect.stringContaining('serializerMiddleware'));
    expect(middleware).not.toContainEqual(expect.stringContaining('loggerMiddleware'));
  });
});

it('the kept signer of a client is one for all calls, and signs each with the credentials of its moment', async () => {
  let asked = 0;
  const signed: string[] = [];
  const client = new DynamoDBClient({
    region: 'us-east-1',
    // About to expire, so that each call asks for new ones.
    credentials: async () => {
      return { accessKeyId: `KEY${(asked += 1)}`, secretAccessKey: 's', expiration: new Date(Date.now() + 1000) };
    },
    requestHandler: {
      handle: async ({ headers }: { headers: Record<string, string> }) => {
        signed.push(/KEY\d+/.exec(headers['authorization'] ?? '')?.[0] ?? '');
        throw new Error('no answer');
      },
    },
  });
  const makeSigner = vi.fn(client.config.signer);
  client.config.signer = makeSigner;
  keepSigner(client);
  for (let call = 0; call < 3; call++) {
    await expect(client.send(new GetItemCommand({ TableName: 'T', Key: {} }))).rejects.toThrow('no answer');
  }
  expect(makeSigner).toHaveBeenCalledTimes(1);
  expect(new Set(signed).size).toBe(signed.length);
  expect(signed).toHaveLength(3);
});
