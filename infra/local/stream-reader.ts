import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StreamRecord } from '../../lib/events/history-records.ts';
import { printError } from '../terminal.ts';

const POLL_MS = 200;

interface Shard {
  readonly ShardId: string;
  readonly ParentShardId?: string;
}

/** How far a shard is read: the next iterator, null at its end, and the number of the last record that is done. */
interface Position {
  iterator?: string | null | undefined;
  after?: string | undefined;
}

/**
 * Hands on the records of a table's stream from its beginning, those of a shard in order, until the signal; what is
 * handed on again after a fault of the engine was not done.
 */
export async function readStream(
  { endpoint, table }: { readonly endpoint: string; readonly table: string },
  work: Work,
  signal: AbortSignal,
): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const call = callsOf(endpoint, agent);
  const positions = new Map<string, Position>();
  let shown = '';
  while (!signal.aborted) {
    try {
      await readShards(call, table, positions, work, signal);
      shown = '';
    } catch (error) {
      for (const position of positions.values()) if (position.iterator !== null) position.iterator = undefined;
      if (!signal.aborted && String(error) !== shown) printError(`The stream of ${table}: ${String(error)}`);
      shown = String(error);
      await sleep(POLL_MS, undefined, { signal }).catch(() => {});
    }
  }
  agent.destroy();
}

/** Reads the shards that there are until one of them ends, for its successors are not among them. */
async function readShards(
  call: StreamCall,
  TableName: string,
  positions: Map<string, Position>,
  work: Work,
  signal: AbortSignal,
): Promise<void> {
  const { Streams: streams } = await call<{ Streams: { StreamArn: string }[] }>('ListStreams', { TableName });
  const [stream] = streams;
  if (stream === undefined) throw new Error('the engine has none.');
  const { StreamArn } = stream;
  const described = await call<{ StreamDescription: { Shards: Shard[] } }>('DescribeStream', { StreamArn });
  const shards = described.StreamDescription.Shards;
  for (const { ShardId } of shards) if (!positions.has(ShardId)) positions.set(ShardId, {});
  const isOpen = (id: string | undefined) => id !== undefined && positions.get(id)?.iterator !== null;
  let hasEnded = false;
  do {
    // A shard begins when the one that it has split from is read to its end.
    for (const { ShardId, ParentShardId: parent } of shards.filter((shard) => isOpen(shard.ShardId))) {
      if (positions.has(parent ?? '') && isOpen(parent)) continue;
      const position = positions.get(ShardId)!;
      await readShard(call, { StreamArn, ShardId }, position, work, signal);
      hasEnded ||= position.iterator === null;
    }
    await sleep(POLL_MS, undefined, { signal }).catch(() => {});
  } while (!signal.aborted && !hasEnded && shards.some(({ ShardId }) => isOpen(ShardId)));
}

/** Reads what a shard has now. */
async function readShard(call: StreamCall, shard: object, position: Position, work: Work, signal: AbortSignal) {
  for (;;) {
    position.iterator ??= await iteratorOf(call, shard, position.after);
    const page = await call<Page>('GetRecords', { ShardIterator: position.iterator });
    await work(page.Records);
    if (signal.aborted) return;
    position.after = page.Records.at(-1)?.dynamodb?.SequenceNumber ?? position.after;
    position.iterator = page.NextShardIterator ?? null;
    if (page.Records.length === 0 || position.iterator === null) return;
  }
}

type Work = (records: readonly StreamRecord[]) => Promise<void>;

interface Page {
  readonly Records: readonly StreamRecord[];
  readonly NextShardIterator?: string | null;
}

async function iteratorOf(call: StreamCall, shard: object, after: string | undefined): Promise<string> {
  const start =
    after === undefined
      ? { ShardIteratorType: 'TRIM_HORIZON' }
      : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: after };
  const { ShardIterator: iterator } = await call<{ ShardIterator: string }>('GetShardIterator', { ...shard, ...start });
  return iterator;
}

type StreamCall = <Answer>(operation: string, body: object) => Promise<Answer>;

/**
 * Calls of DynamoDB Streams, which local engines answer at their one address. They want to be told credentials, and
 * check none.
 */
function callsOf(endpoint: string, agent: Agent): StreamCall {
  const headers = {
    'Content-Type': 'application/x-amz-json-1.0',
    'X-Amz-Date': '20260101T000000Z',
    Authorization:
      'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
  };
  return async <Answer>(operation: string, body: object) => {
    const target = { 'X-Amz-Target': `DynamoDBStreams_20120810.${operation}` };
    const answer = await new Promise<{ status: number; body: string }>((resolve, reject) => {
      const sent = request(endpoint, { agent, method: 'POST', headers: { ...headers, ...target } }, (response) => {
        text(response).then((read) => resolve({ status: response.statusCode ?? 0, body: read }), reject);
      });
      sent.on('error', reject).end(JSON.stringify(body));
    });
    if (answer.status !== 200) throw new Error(`${operation}: ${answer.body}`);
    return JSON.parse(answer.body) as Answer;
  };
}
