import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Outcome } from '../../../infra/local/local-functions.ts';
import { runStreamFunctions } from '../../../infra/local/stream-functions.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const PAUSE_MS = 20;
const engine = useEngine();
let table: string;
const errors = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
afterEach(() => errors.mockClear());

interface StreamEvent {
  readonly Records: readonly { readonly dynamodb: { readonly Keys: { readonly pk: { readonly S: string } } } }[];
}
const joinKeys = ({ Records }: StreamEvent) => Records.map(({ dynamodb }) => dynamodb.Keys.pk.S).join(' ');
const buildSuccess = (): Outcome => ({ result: null });

/** Runs the streams until the function was called `count` times, and returns the record keys of each call. */
async function readCalls(count: number, respond: (call: number) => Outcome) {
  const calls: string[] = [];
  const invoke = async (_functionId: string, event: unknown) => {
    calls.push(joinKeys(event as StreamEvent));
    return respond(calls.length);
  };
  const patterns = [{ eventName: ['INSERT'], dynamodb: { NewImage: { kind: { S: ['a'] } } } }];
  const source = { functionId: 'Publish', table, batchSize: 3, patterns };
  const streams = runStreamFunctions([source], engine.endpoint, invoke, PAUSE_MS);
  await expect.poll(() => calls.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(count);
  await streams.stop();
  return calls;
}

async function write(...keys: string[]): Promise<void> {
  for (const pk of keys)
    await engine.client.send(
      new PutCommand({ TableName: table, Item: { pk, kind: pk.slice(0, 1), time: performance.now() } }),
    );
}

describe('runStreamFunctions', () => {
  beforeEach(async ({ task }) => {
    table = `Table-${task.id}`;
    await engine.client.send(
      new CreateTableCommand({
        TableName: table,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
      }),
    );
  });

  it('a function is called once with each matching record, also with later records, in order and in batches', async () => {
    // The second 'a1' is a change of the item, and no new item.
    await write('a1', 'a2', 'a1', 'b1', 'b2', 'b3', 'a3');
    const respond = (call: number) => {
      if (call === 2) void write('b4', 'a4');
      return buildSuccess();
    };
    expect(await readCalls(3, respond)).toEqual(['a1 a2', 'a3', 'a4']);
    expect(errors).not.toHaveBeenCalled();
  });

  it('a call that fails or reports a failed record is repeated with all its records, and one line is printed', async () => {
    await write('a1', 'a2');
    const outcomes: Outcome[] = [{ failure: 'error' }, { result: { batchItemFailures: [{ itemIdentifier: '1' }] } }];
    const calls = await readCalls(3, (call) => outcomes[call - 1] ?? buildSuccess());
    expect(calls).toEqual(['a1 a2', 'a1 a2', 'a1 a2']);
    expect(errors.mock.calls).toEqual([
      [`The stream of ${table}: Error: A call of the function failed, and is retried.\n`],
    ]);
  });
});
