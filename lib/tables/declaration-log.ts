import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { attempts } from '../runtime/attempts.ts';
import type { LogPosition } from '../invoices/transactions.ts';
import { batchGet, inPartition, type Key } from './dynamodb/reads.ts';
import { type StoredNumber, toInteger } from './dynamodb/numbers.ts';
import { readDeclarationKeys, type LogItem, readLogPosition, type RevisionItem } from './history-items.ts';
import { LOG_SHARDS, logPartition } from './keys.ts';
import { type OwnedRevision, toOwnedRevision } from './declaration-table.ts';

const PAGE_ENTRIES = 100;

/** The declarations that one transaction wrote, those of an invoice in the order of their revisions. */
export interface LogEntry {
  readonly number: number;
  readonly declarations: readonly LoggedDeclaration[];
}

/** A declaration, and the position of the declaration before it on the same invoice; null if it has none in the log. */
export interface LoggedDeclaration extends OwnedRevision {
  readonly follows: LogPosition | null;
}

/** The log of all declarations of a tenant: in a shard, an entry is written only after the entries before it. */
export type DeclarationLog = ReturnType<typeof createDeclarationLog>;

type StoredRevision = RevisionItem & Key<StoredNumber>;

/** Reads the number of the latest entry in a shard of a tenant's log, strongly consistent; 0 if there is none. */
export async function readLatestNumber(
  client: DynamoDBDocumentClient,
  table: string,
  tenant: string,
  shard: number,
): Promise<number> {
  const latest = { ScanIndexForward: false, Limit: 1, ProjectionExpression: 'sk', ConsistentRead: true };
  const query = { TableName: table, ...inPartition(logPartition(tenant, shard)), ...latest };
  const { Items = [] } = await client.send(new QueryCommand(query));
  const [item] = Items as Pick<LogItem, 'sk'>[];
  return item ? toInteger(item.sk) : 0;
}

export function createDeclarationLog(client: DynamoDBDocumentClient, table: string) {
  return {
    /** The number of shards of each log. */
    shards: LOG_SHARDS,
    latest: (tenant: string, shard: number) => readLatestNumber(client, table, tenant, shard),
    /**
     * Reads the next entries of a shard after a number that is not the latest: at least one entry, without a gap,
     * strongly consistent.
     */
    async after(tenant: string, shard: number, number: number) {
      // The items of a transaction do not become visible at once, so missing ones are read by the next attempt.
      for await (const _ of attempts()) {
        const entries = await readEntries(client, table, logPartition(tenant, shard), number);
        if (entries.length > 0) return entries;
      }
      throw new Error(`The log of ${tenant} has no readable entry after ${number} in its shard ${shard}.`);
    },
  };
}

/** Reads the next entries of a shard up to the first gap, each with all its declarations. */
async function readEntries(
  client: DynamoDBDocumentClient,
  table: string,
  pk: string,
  number: number,
): Promise<LogEntry[]> {
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: table,
      KeyConditionExpression: 'pk = :pk AND sk > :number',
      ExpressionAttributeValues: { ':pk': pk, ':number': number },
      Limit: PAGE_ENTRIES,
      ConsistentRead: true,
    }),
  );
  const items = Items as LogItem[];
  const keys = items.flatMap(readDeclarationKeys);
  const before = keys.flatMap(({ pk: history, sk }) => (sk > 1 ? [{ pk: history, sk: sk - 1 }] : []));
  const wanted = new Map([...keys, ...before].map((key) => [toText(key), key]));
  const found = await batchGet<StoredRevision>(client, table, [...wanted.values()]);
  const revisions = new Map(found.map((item) => [toText({ pk: item.pk, sk: toInteger(item.sk) }), item]));

  const entries: LogEntry[] = [];
  for (const item of items) {
    const own = readDeclarationKeys(item);
    const isComplete = own.every((key) => revisions.has(toText(key)));
    if (toInteger(item.sk) !== number + entries.length + 1 || !isComplete) break;
    entries.push({
      number: toInteger(item.sk),
      declarations: own.flatMap((key) => {
        const revision = revisions.get(toText(key));
        const previous = revisions.get(toText({ ...key, sk: key.sk - 1 }));
        return revision ? [{ ...toOwnedRevision(revision), follows: previous ? readLogPosition(previous) : null }] : [];
      }),
    });
  }
  return entries;
}

const toText = ({ pk, sk }: Key<number>) => `${pk}#${sk}`;
