import { setTimeout as sleep } from 'node:timers/promises';
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ListStreamsCommand,
} from '@aws-sdk/client-dynamodb-streams';
import { printError } from '../process/terminal.ts';
import { buildClientSettings } from './engine-client.ts';
import type { Invoke, Outcome } from './local-functions.ts';
import type { StreamMapping } from './read-stack.ts';

/** The pause before a stream is read again, and before a failed call is retried. */
const PAUSE_MS = 500;

/** The state of a loop that reads the stream of a table. The stream consists of shards, and a shard of records. */
interface StreamReader {
  readonly client: DynamoDBStreamsClient;
  readonly mapping: StreamMapping;
  readonly invoke: Invoke;
  readonly pauseMs: number;
  readonly signal: AbortSignal;
  /** The sequence number of the last record that the function has processed, by the id of the shard. */
  readonly lastSequenceNumbers: Map<string, string>;
}

/** Calls each function with the records of its stream in order, until `stop` is called. Retries a failed call. */
export function runStreamFunctions(
  mappings: readonly StreamMapping[],
  endpoint: string,
  invoke: Invoke,
  pauseMs = PAUSE_MS,
) {
  const client = new DynamoDBStreamsClient(buildClientSettings(endpoint));
  const abortController = new AbortController();
  const { signal } = abortController;
  const loops = mappings.map((mapping) =>
    readUntilAborted({ client, mapping, invoke, pauseMs, signal, lastSequenceNumbers: new Map() }),
  );
  return {
    stop: async (): Promise<void> => {
      abortController.abort();
      await Promise.all(loops);
      client.destroy();
    },
  };
}

/** Reads a stream repeatedly. If retries fail with the same error, prints the error only once. */
async function readUntilAborted(reader: StreamReader): Promise<void> {
  const { mapping, pauseMs, signal } = reader;
  let previousError: string | undefined;
  while (!signal.aborted) {
    const error = await readAllShards(reader).then(() => undefined, String);
    const isNewError = error !== undefined && error !== previousError;
    if (isNewError && !signal.aborted) printError(`The stream of ${mapping.table}: ${error}`);
    previousError = error;
    // If the signal is aborted, the pause ends at once with an error.
    await sleep(pauseMs, undefined, { signal }).catch(() => {});
  }
}

async function readAllShards(reader: StreamReader): Promise<void> {
  const { client, mapping, signal } = reader;
  const { Streams = [] } = await client.send(new ListStreamsCommand({ TableName: mapping.table }));
  const StreamArn = Streams[0]?.StreamArn;
  const { StreamDescription } = await client.send(new DescribeStreamCommand({ StreamArn }));
  // The list contains each shard after its parent shard, whose records are older.
  for (const { ShardId = '' } of StreamDescription?.Shards ?? []) {
    let hasMore = true;
    while (hasMore && !signal.aborted) hasMore = await processNextRecords(reader, StreamArn, ShardId);
  }
}

/** Calls the function with a shard's next records. Returns false if there are none. Throws an error if a call fails. */
async function processNextRecords(reader: StreamReader, StreamArn: string | undefined, ShardId: string) {
  const { client, mapping, invoke, lastSequenceNumbers } = reader;
  const SequenceNumber = lastSequenceNumbers.get(ShardId);
  const ShardIteratorType = SequenceNumber === undefined ? 'TRIM_HORIZON' : 'AFTER_SEQUENCE_NUMBER';
  const start = new GetShardIteratorCommand({ StreamArn, ShardId, ShardIteratorType, SequenceNumber });
  const { ShardIterator } = await client.send(start);
  const { Records = [] } = await client.send(new GetRecordsCommand({ ShardIterator, Limit: mapping.batchSize }));
  const lastSequenceNumber = Records.at(-1)?.dynamodb?.SequenceNumber;
  if (lastSequenceNumber === undefined) return false;

  const matchingRecords = Records.filter((record) => mapping.patterns.some((pattern) => isMatch(record, pattern)));
  if (matchingRecords.length > 0) {
    const outcome = await invoke(mapping.functionId, { Records: matchingRecords });
    if (hasFailure(outcome)) throw new Error('A call of the function failed, and is retried.');
  }
  // After an error, this line is not reached, so that the next read begins with the same records.
  lastSequenceNumbers.set(ShardId, lastSequenceNumber);
  return true;
}

/** True if a value matches a filter pattern of the template, in which `['INSERT', 'MODIFY']` are the allowed values. */
function isMatch(value: unknown, pattern: unknown): boolean {
  if (Array.isArray(pattern)) return pattern.includes(value);
  const properties = (value ?? {}) as Readonly<Record<string, unknown>>;
  return Object.entries(pattern as object).every(([name, part]) => isMatch(properties[name], part));
}

/** True if the call failed, or if the function returned records that it could not process. */
function hasFailure(outcome: Outcome): boolean {
  if ('failure' in outcome) return true;
  const response = outcome.result as { readonly batchItemFailures?: readonly unknown[] } | null;
  return (response?.batchItemFailures ?? []).length > 0;
}
