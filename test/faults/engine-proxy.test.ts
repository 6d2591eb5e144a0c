import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { engineEnvironment } from '../../infra/local/engine-client.ts';
import { useEngine } from '../support/setup/use-engine.ts';
import { createFaults } from '../support/engine/engine-faults.ts';
import { type EngineProxy, startEngineProxy } from '../support/engine/engine-proxy.ts';
import { newId } from '../support/data/seed.ts';
import { seededRandom } from '../support/data/seeded-random.ts';

const engine = useEngine();
let proxy: EngineProxy;
let client: DynamoDBDocumentClient;
beforeAll(async () => {
  proxy = await startEngineProxy(engine);
  Object.assign(process.env, engineEnvironment(proxy.engine.endpoint));
  client = DynamoDBDocumentClient.from(new DynamoDBClient({ maxAttempts: 1 }));
});
beforeEach(() => proxy.reset());
afterAll(() => {
  client.destroy();
  return proxy.close();
});

const itemOf = (pk: string) => ({ TableName: engine.tables.RateCounters, Item: { pk } });
const put = (pk: string) => client.send(new PutCommand(itemOf(pk)));
const transact = (...pks: string[]) =>
  client.send(new TransactWriteCommand({ TransactItems: pks.map((pk) => ({ Put: itemOf(pk) })) }));
const batchGet = async (...pks: string[]) => {
  const { Responses, UnprocessedKeys } = await client.send(
    new BatchGetCommand({ RequestItems: { [engine.tables.RateCounters]: { Keys: pks.map((pk) => ({ pk })) } } }),
  );
  const keysIn = (items: unknown) => ((items ?? []) as { pk: string }[]).map(({ pk }) => pk).toSorted();
  return {
    read: keysIn(Responses?.[engine.tables.RateCounters]),
    unprocessed: keysIn(UnprocessedKeys?.[engine.tables.RateCounters]?.Keys),
  };
};

async function isStored(pk: string): Promise<boolean> {
  const { Item } = await engine.client.send(new GetCommand({ TableName: engine.tables.RateCounters, Key: { pk } }));
  return Item !== undefined;
}

describe('a call that fails', () => {
  it.each([
    { how: 'refuse', name: 'TimeoutError', stored: false },
    { how: 'lose-answer', name: 'TimeoutError', stored: true },
    { how: 'error', name: 'InternalServerError', stored: false },
    { how: 'throttle', name: 'ProvisionedThroughputExceededException', stored: false },
  ] as const)('by $how ends with $name; the engine has done it: $stored', async ({ how, name, stored }) => {
    const pk = newId();
    proxy.fail({ how });
    await expect(put(pk)).rejects.toMatchObject({ name });
    expect(await isStored(pk)).toBe(stored);
    expect([...proxy.hits]).toEqual([[how, 1]]);
  });

  it('over a connection that died is unknown to the engine; over a new one it succeeds', async () => {
    const [before, lost, after] = [newId(), newId(), newId()];
    await put(before);
    proxy.killConnections();
    await expect(put(lost)).rejects.toMatchObject({ name: 'TimeoutError' });
    await put(after);
    expect([await isStored(before), await isStored(lost), await isStored(after)]).toEqual([true, false, true]);
  });
});

describe('a late call', () => {
  let hold: PromiseWithResolvers<void>;
  beforeEach(() => void (hold = Promise.withResolvers()));
  afterEach(() => hold.resolve());

  it.each([
    { how: 'deliver-late', stored: false },
    { how: 'answer-late', stored: true },
  ] as const)(
    '($how) is done all the same when nobody waits any more; before that: $stored',
    async ({ how, stored }) => {
      const pk = newId();
      const held = Promise.withResolvers<void>();
      const wait = () => {
        held.resolve();
        return hold.promise;
      };
      proxy.fail({ how, wait });
      const abort = new AbortController();
      const gaveUp = client
        .send(new PutCommand(itemOf(pk)), { abortSignal: abort.signal })
        .catch((error) => error.name);
      await held.promise;
      abort.abort();
      expect(await gaveUp).toBe('AbortError');
      expect(await isStored(pk)).toBe(stored);

      hold.resolve();
      await proxy.untilIdle(0);
      expect(await isStored(pk)).toBe(true);
    },
  );
});

describe('the keys of a batch', () => {
  it.each([
    { how: 'unprocessed', processed: 0 },
    { how: 'half-unprocessed', processed: 2 },
  ] as const)('that is hit by $how are left unprocessed but for $processed of 3', async ({ how, processed }) => {
    const pks = [newId(), newId(), newId()].toSorted();
    await transact(...pks);
    proxy.fail({ how, times: 1 });
    expect(await batchGet(...pks)).toEqual({ read: pks.slice(0, processed), unprocessed: pks.slice(processed) });
    expect(await batchGet(...pks)).toEqual({ read: pks, unprocessed: [] });
  });
});

describe('which calls a fault hits', () => {
  it('a share of them, which adds up, and is the same for the same seed', () => {
    const call = { operation: 'GetItem', tables: [], text: '{}' };
    const hitsOf = (seed: number) => {
      const faults = createFaults(seededRandom(seed));
      faults.add({ how: 'error', share: 0.1 });
      faults.add({ how: 'throttle', share: 0.2 });
      const kinds = Array.from({ length: 1_000 }, () => faults.hit(call)?.how);
      expect(faults.hits).toEqual(
        new Map(['error', 'throttle'].map((how) => [how, kinds.filter((hit) => hit === how).length])),
      );
      return kinds;
    };
    expect(hitsOf(7)).toEqual(hitsOf(7));
    expect(hitsOf(7)).not.toEqual(hitsOf(8));
    const shareOf = (how: string) => hitsOf(7).filter((hit) => hit === how).length / 1_000;
    expect(shareOf('error')).toBeCloseTo(0.1, 1);
    expect(shareOf('throttle')).toBeCloseTo(0.2, 1);
  });
});
