import { text } from 'node:stream/consumers';
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Outcome } from '../../../infra/local/local-functions.ts';
import { runStreamFunctions } from '../../../infra/local/stream-functions.ts';
import { withServer } from '../../support/service/with-server.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const PAUSE_MS = 20;
const engine = useEngine();
let table: string;
const errors = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
afterEach(() => errors.mockClear());

interface StreamEvent {
  readonly Records: readonly {
    readonly dynamodb: { readonly Keys: { readonly pk: { readonly S: string } }; readonly SequenceNumber: string };
  }[];
}
const joinKeys = ({ Records }: StreamEvent) => Records.map(({ dynamodb }) => dynamodb.Keys.pk.S).join(' ');
const buildRejection = ({ Records }: StreamEvent, key: string): Outcome => {
  const failed = Records.find(({ dynamodb }) => dynamodb.Keys.pk.S === key)!;
  return { result: { batchItemFailures: [{ itemIdentifier: failed.dynamodb.SequenceNumber }] } };
};
const buildSuccess = (): Outcome => ({ result: null });

/** Runs the streams until the function was called `count` times, and returns the record keys of each call. */
async function readCalls(count: number, respond: (event: StreamEvent, call: number) => Outcome, endpoint?: string) {
  const calls: string[] = [];
  const invoke = async (_functionId: string, event: unknown) => {
    calls.push(joinKeys(event as StreamEvent));
    return respond(event as StreamEvent, calls.length);
  };
  const patterns = [{ eventName: ['INSERT'], dynamodb: { NewImage: { kind: { S: ['a'] } } } }];
  const source = { functionId: 'Publish', table, batchSize: 3, patterns };
  const streams = runStreamFunctions([source], endpoint ?? engine.endpoint, invoke, PAUSE_MS);
  await expect.poll(() => calls.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(count);
  await streams.stop();
  return calls;
}

async function write(...keys: string[]): Promise<void> {
  for (const pk of keys)
    await engine.client.send(new PutCommand({ TableName: table, Item: { pk, kind: pk.slice(0, 1) } }));
}

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
  await write('a1', 'b1', 'a2', 'b2', 'b3', 'b4', 'a3');
  const respond = (_: StreamEvent, call: number) => {
    if (call === 2) void write('b5', 'a4');
    return buildSuccess();
  };
  expect(await readCalls(3, respond)).toEqual(['a1 a2', 'a3', 'a4']);
  expect(errors).not.toHaveBeenCalled();
});

it('a failed call is repeated with all its records, and one line is printed', async () => {
  await write('a1', 'a2');
  const respond = (_: StreamEvent, call: number): Outcome => (call < 3 ? { failure: 'error' } : buildSuccess());
  expect(await readCalls(3, respond)).toEqual(['a1 a2', 'a1 a2', 'a1 a2']);
  expect(errors.mock.calls).toEqual([
    [`The stream of ${table}: Error: A call of the function failed, and is retried.\n`],
  ]);
});

it('a call is repeated from the record that the function reports as failed', async () => {
  await write('a1', 'a2', 'a3', 'a4');
  const respond = (event: StreamEvent, call: number) =>
    call === 1 ? buildRejection(event, 'a2') : call === 2 ? buildRejection(event, 'a4') : buildSuccess();
  expect(await readCalls(3, respond)).toEqual(['a1 a2 a3', 'a2 a3 a4', 'a4']);
  expect(errors).toHaveBeenCalledTimes(1);
});

// The embedded engine has one shard for each table; DynamoDB Local starts another one after some hours.
it('the function gets the records of a shard only after the calls for the previous shard have succeeded', async () => {
  const pages: Record<string, string[]> = { first: ['a1'], second: ['a2'] };
  const buildResult = (operation: string, input: Record<string, string>) => {
    if (operation === 'ListStreams') return { Streams: [{ StreamArn: 'arn' }] };
    if (operation === 'DescribeStream')
      return { StreamDescription: { Shards: Object.keys(pages).map((ShardId) => ({ ShardId })) } };
    if (operation === 'GetShardIterator') return { ShardIterator: `${input['ShardId']} ${input['ShardIteratorType']}` };
    const [shard = '', type] = input['ShardIterator']!.split(' ');
    const keys = type === 'AFTER_SEQUENCE_NUMBER' ? [] : pages[shard]!;
    return {
      Records: keys.map((S) => ({
        eventName: 'INSERT',
        dynamodb: { Keys: { pk: { S } }, NewImage: { pk: { S }, kind: { S: 'a' } }, SequenceNumber: S },
      })),
    };
  };
  const calls = await withServer(
    (request, response) => {
      const operation = String(request.headers['x-amz-target']).split('.')[1]!;
      const respond = async () => response.end(JSON.stringify(buildResult(operation, JSON.parse(await text(request)))));
      response.writeHead(200, { 'Content-Type': 'application/x-amz-json-1.0' });
      void respond();
    },
    (url) => readCalls(4, (_, call) => (call < 3 ? { failure: 'error' } : buildSuccess()), url),
  );
  expect(calls).toEqual(['a1', 'a1', 'a1', 'a2']);
});
