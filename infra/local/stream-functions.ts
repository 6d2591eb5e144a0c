import { setTimeout as sleep } from 'node:timers/promises';
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type GetShardIteratorCommandInput,
  ListStreamsCommand,
} from '@aws-sdk/client-dynamodb-streams';
import { printError } from '../process/terminal.ts';
import { buildClientSettings } from './engine-client.ts';
import type { LocalFunction } from './local-function.ts';
import type { EventSource } from './read-stack.ts';

/** The pause before a stream is read again, and before a failed call is retried. */
const PAUSE_MS = 500;

type Position = Pick<GetShardIteratorCommandInput, 'ShardIteratorType' | 'SequenceNumber'>;

/**
 * Calls the functions of event sources with the records of their streams, in order, until it is stopped. A call that
 * fails is retried after a pause, from the record that the function returned, or with all its records.
 */
export function runStreamFunctions(
  eventSources: readonly EventSource[],
  endpoint: string,
  getFunction: (id: string) => Pick<LocalFunction, 'invoke'>,
  pauseMs = PAUSE_MS,
): { readonly stop: () => Promise<void> } {
  const client = new DynamoDBStreamsClient(buildClientSettings(endpoint));
  const end = new AbortController();
  const { signal } = end;

  async function readStream({ functionId, table, batchSize, patterns }: EventSource): Promise<void> {
    /** The position in each shard; a shard without one is read from its beginning. */
    const positions = new Map<string, Position>();

    /** Reads what the shards contain now. A shard is in the list after the one that it continues. */
    async function readShards(): Promise<void> {
      const { Streams: [{ StreamArn } = {}] = [] } = await client.send(new ListStreamsCommand({ TableName: table }));
      if (StreamArn === undefined) throw new Error('The engine does not have it.');
      const { StreamDescription: { Shards = [] } = {} } = await client.send(new DescribeStreamCommand({ StreamArn }));
      for (const { ShardId = '' } of Shards) while (!signal.aborted && (await readPage({ StreamArn, ShardId })));
    }

    /** Calls the function with the next records of a shard. Returns false if there are none; throws if it fails. */
    async function readPage(shard: { readonly StreamArn: string; readonly ShardId: string }): Promise<boolean> {
      const position = positions.get(shard.ShardId) ?? { ShardIteratorType: 'TRIM_HORIZON' };
      const { ShardIterator } = await client.send(new GetShardIteratorCommand({ ...shard, ...position }));
      const { Records = [] } = await client.send(new GetRecordsCommand({ ShardIterator, Limit: batchSize }));
      const last = Records.at(-1)?.dynamodb?.SequenceNumber;
      if (last === undefined) return false;
      const matching = Records.filter((record) => patterns.some((pattern) => matchesPattern(record, pattern)));
      const outcome =
        matching.length > 0 ? await getFunction(functionId).invoke({ Records: matching }) : { result: null };
      const { batchItemFailures = [] } = (('result' in outcome && outcome.result) || {}) as {
        batchItemFailures?: { itemIdentifier: string }[];
      };
      const [failed] = batchItemFailures;
      if (failed)
        positions.set(shard.ShardId, {
          ShardIteratorType: 'AT_SEQUENCE_NUMBER',
          SequenceNumber: failed.itemIdentifier,
        });
      if (failed || 'failure' in outcome) throw new Error('A call of the function failed, and is retried.');
      positions.set(shard.ShardId, { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: last });
      return true;
    }

    let shownError: string | undefined;
    while (!signal.aborted) {
      const error = await readShards().then(() => undefined, String);
      if (error !== undefined && error !== shownError && !signal.aborted)
        printError(`The stream of ${table}: ${error}`);
      shownError = error;
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
    }
  }

  const readers = eventSources.map(readStream);
  return {
    async stop() {
      end.abort();
      await Promise.all(readers);
      client.destroy();
    },
  };
}

/**
 * True if a record of a stream matches a filter pattern of the template. Throws for a rule that is not implemented.
 */
export function matchesPattern(value: unknown, pattern: unknown): boolean {
  if (Array.isArray(pattern)) return pattern.some((rule) => matchesRule(value, rule));
  const properties = (value ?? {}) as Readonly<Record<string, unknown>>;
  return Object.entries(pattern as object).every(([name, part]) => matchesPattern(properties[name], part));
}

function matchesRule(value: unknown, rule: unknown): boolean {
  if (typeof rule === 'string') return value === rule;
  const [[name, operand] = [], ...others] = Object.entries(rule as object);
  if (others.length === 0 && name === 'exists' && operand === true) return value !== undefined;
  if (others.length === 0 && name === 'prefix' && typeof operand === 'string')
    return typeof value === 'string' && value.startsWith(operand);
  throw new Error(`The rule ${JSON.stringify(rule)} of a filter is not known on this machine.`);
}
