import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { createHash, createHmac } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { SigningHash, tuneClient, buildTunedSettings } from '../../../lib/tables/dynamodb/sdk-tuning.ts';

const CALLS = 3;

/** Makes calls that get no response, and counts for each client what the tuning saves. */
async function countWork(tuning: 'tuned' | 'untuned') {
  let reads = 0;
  const signedWith: string[] = [];
  const client = new DynamoDBClient({
    region: 'us-east-1',
    ...(tuning === 'tuned' ? buildTunedSettings() : {}),
    // The credentials expire soon, so that each call reads new ones.
    credentials: async () => {
      const keyId = `KEY${(reads += 1)}`;
      return { accessKeyId: keyId, secretAccessKey: 's', expiration: new Date(Date.now() + 1000) };
    },
    requestHandler: {
      handle: async ({ headers }: { headers: Record<string, string> }) => {
        signedWith.push(/KEY\d+/.exec(headers['authorization'] ?? '')?.[0] ?? '');
        throw new Error('no response');
      },
    },
  });
  const createSigner = vi.fn(client.config.signer);
  client.config.signer = createSigner;
  if (tuning === 'tuned') tuneClient(client);
  for (let call = 0; call < CALLS; call++) {
    await expect(client.send(new GetItemCommand({ TableName: 'T', Key: {} }))).rejects.toThrow('no response');
  }
  const body = Object.assign(Readable.from([Buffer.from('a'), Buffer.from('b')]), { headers: {} });
  const pipe = vi.spyOn(body, 'pipe');
  const collected = Buffer.from(await client.config.streamCollector(body)).toString();
  const hasLogger = client.middlewareStack.identify().some((name) => name.startsWith('loggerMiddleware'));
  return { signers: createSigner.mock.calls.length, pipes: pipe.mock.calls.length, hasLogger, collected, signedWith };
}

describe('the tuning of the SDK', () => {
  it('the tuned client creates one signer for all calls, no stream for a response, and no logger', async () => {
    expect(await countWork('tuned')).toMatchObject({ signers: 1, pipes: 0, hasLogger: false, collected: 'ab' });
  });

  // If this test fails after an update of the SDK, a step of the tuning may be unnecessary.
  it('the untuned client creates a signer for each call, a stream for each response, and a logger', async () => {
    expect(await countWork('untuned')).toMatchObject({ signers: CALLS, pipes: 1, hasLogger: true, collected: 'ab' });
  });

  it('the tuned client signs each call with the current credentials', async () => {
    const { signedWith } = await countWork('tuned');
    expect(new Set(signedWith).size).toBe(CALLS);
  });

  it('the tuned client rejects a response whose body cannot be read', async () => {
    const body = new Readable({
      read() {
        this.destroy(new Error('connection reset'));
      },
    });
    await expect(buildTunedSettings().streamCollector(body)).rejects.toThrow('connection reset');
  });

  it('the tuned client creates a new signer after a failure', async () => {
    const client = new DynamoDBClient({ region: 'us-east-1' });
    const createSigner = vi.fn(client.config.signer).mockRejectedValueOnce(new Error('no credentials'));
    client.config.signer = createSigner;
    tuneClient(client);
    await expect(client.config.signer()).rejects.toThrow('no credentials');
    await client.config.signer();
    await client.config.signer();
    expect(createSigner).toHaveBeenCalledTimes(2);
  });
});

const data = Buffer.from('data');

async function digest(hash: SigningHash, parts: readonly Uint8Array[] = [data]): Promise<string> {
  for (const part of parts) hash.update(part);
  return Buffer.from(await hash.digest()).toString('hex');
}

const hmac = (secret: string | Uint8Array) => createHmac('sha256', secret).update(data).digest('hex');

describe('SigningHash', () => {
  it('SigningHash returns the SHA-256 of all parts', async () => {
    const property = fc.asyncProperty(fc.array(fc.uint8Array()), async (parts) => {
      const expected = createHash('sha256').update(Buffer.concat(parts)).digest('hex');
      expect(await digest(new SigningHash(), parts)).toBe(expected);
    });
    await fc.assert(property);
  });

  it('SigningHash returns the HMAC-SHA-256 with a secret, for a new key and for a cached key', async () => {
    const property = fc.asyncProperty(fc.oneof(fc.string(), fc.uint8Array()), async (secret) => {
      for (let time = 0; time < 2; time++) expect(await digest(new SigningHash(secret))).toBe(hmac(secret));
    });
    await fc.assert(property);
  });

  it('SigningHash accepts a buffer or a part of one as secret, and removes its data on reset', async () => {
    const bytes = Uint8Array.of(1, 2, 3, 4);
    expect(await digest(new SigningHash(bytes.buffer))).toBe(hmac(bytes));
    const hash = new SigningHash(new DataView(bytes.buffer, 1, 2));
    hash.update(Buffer.from('other'));
    hash.reset();
    expect(await digest(hash)).toBe(hmac(bytes.subarray(1, 3)));
  });
});
