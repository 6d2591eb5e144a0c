import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { DeclarationRevision } from '../domain/declaration.ts';
import type { SupplierScope } from '../domain/invoice.ts';
import { attempts } from '../runtime/attempts.ts';
import { randomInt } from '../runtime/ids.ts';
import { createLruCache } from '../runtime/lru-cache.ts';
import { collectPages } from '../runtime/pages.ts';
import type { LogPosition } from '../invoices/transactions.ts';
import { type StoredNumber, toInteger } from './dynamodb/values.ts';
import { batchGet, buildPartitionCondition, type Key, queryPages } from './dynamodb/reads.ts';
import { buildDeclarationKeys, type LogItem, readLogPosition, type RevisionItem, toRevision } from './history-items.ts';
import type { RevisionKey } from './invoice-table.ts';
import { buildDeclarationPartition, buildLogPartition, LOG_SHARDS } from './keys.ts';

export interface OwnedRevision {
  readonly scope: SupplierScope;
  readonly revision: DeclarationRevision;
}

/** The declarations that one transaction wrote; those of one invoice are in the order of their revisions. */
export interface LogEntry {
  readonly number: number;
  readonly declarations: readonly LoggedDeclaration[];
}

/** A declaration with the position of the previous declaration of its invoice; null if the log does not contain it. */
export interface LoggedDeclaration extends OwnedRevision {
  readonly previousPosition: LogPosition | null;
}

type StoredRevision = RevisionItem & Key<StoredNumber>;

/** The shards of a tenant's log that are free in this process, and the numbers of the latest entries by shard. */
interface TenantLog {
  readonly freeShards: number[];
  readonly latestNumbers: Map<number, number>;
}

const PAGE_ENTRIES = 100;
const MAX_CACHED_TENANTS = 1000;

/** Creates the reader of declaration histories. Its reads are strongly consistent. */
export function createDeclarationTable(client: DynamoDBDocumentClient, table: string) {
  const readByKeys = async (keys: readonly Key<number>[]) =>
    (await batchGet<RevisionItem & Key<unknown>>(client, table, keys)).map(toOwnedRevision);

  return {
    /** Reads all declarations of an invoice, oldest first. */
    async readHistory(scope: SupplierScope, invoiceId: string) {
      const query = { TableName: table, ...buildPartitionCondition(buildDeclarationPartition(scope, invoiceId)) };
      return (await collectPages(queryPages<RevisionItem>(client, query))).map((item) => toRevision(invoiceId, item));
    },

    /** Reads the declarations of distinct keys, in any order. Omits declarations that do not exist. */
    async readRevisions(scope: SupplierScope, revisions: readonly RevisionKey[]) {
      const keys = revisions.map((key) => ({ pk: buildDeclarationPartition(scope, key.invoiceId), sk: key.revision }));
      return (await readByKeys(keys)).map(({ revision }) => revision);
    },

    /** Finds the declarations of a request, sorted. The index can lack the writes of the last seconds. */
    async findByRequest(requestId: string) {
      const query = {
        TableName: table,
        IndexName: 'requests',
        KeyConditionExpression: 'log_request = :request',
        ExpressionAttributeValues: { ':request': requestId },
        ConsistentRead: false,
      };
      const entries = await collectPages(queryPages<LogItem>(client, query));
      const declarations = await readByKeys(entries.flatMap(buildDeclarationKeys));
      const toSortText = ({ scope, revision: { invoiceId, revision } }: OwnedRevision) =>
        toKeyText({ pk: buildDeclarationPartition(scope, invoiceId), sk: revision });
      // With the numeric order, the invoice 9 precedes the invoice 10.
      return declarations.toSorted((a, b) => toSortText(a).localeCompare(toSortText(b), 'en', { numeric: true }));
    },
  };
}

/** Reads the number of the latest entry in a shard of a tenant's log, strongly consistent; 0 if there is none. */
async function readLatestNumber(client: DynamoDBDocumentClient, table: string, tenant: string, shard: number) {
  const latest = { ScanIndexForward: false, Limit: 1, ProjectionExpression: 'sk', ConsistentRead: true };
  const query = { TableName: table, ...buildPartitionCondition(buildLogPartition(tenant, shard)), ...latest };
  const { Items = [] } = await client.send(new QueryCommand(query));
  const [item] = Items as Pick<LogItem, 'sk'>[];
  return item ? toInteger(item.sk) : 0;
}

/** Creates the reader of the logs, which contain all declarations of a tenant. A shard of a log has no gaps. */
export function createDeclarationLog(client: DynamoDBDocumentClient, table: string) {
  return {
    /** The number of shards of each log. */
    shardCount: LOG_SHARDS,
    readLatestNumber: (tenant: string, shard: number) => readLatestNumber(client, table, tenant, shard),
    /** Reads at least one entry after a number that is not the latest one, without a gap, strongly consistent. */
    async readAfter(tenant: string, shard: number, number: number) {
      // The items of a transaction do not become visible at once, so the next attempt reads those that are missing.
      for await (const _ of attempts()) {
        const entries = await readEntries(client, table, buildLogPartition(tenant, shard), number);
        if (entries.length > 0) return entries;
      }
      throw new Error(`The log of ${tenant} has no readable entry after ${number} in its shard ${shard}.`);
    },
  };
}

/** Reads the next entries of a shard after a number, up to the first entry that is missing or incomplete. */
async function readEntries(client: DynamoDBDocumentClient, table: string, pk: string, number: number) {
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
  const revisions = await readLoggedRevisions(client, table, items);
  const entries: LogEntry[] = [];
  for (const item of items) {
    const entry = toLogEntry(item, revisions);
    if (entry?.number !== number + entries.length + 1) break;
    entries.push(entry);
  }
  return entries;
}

/** Reads the declarations of entries, and the previous declaration of each, by the texts of their keys. */
async function readLoggedRevisions(client: DynamoDBDocumentClient, table: string, items: readonly LogItem[]) {
  const keys = new Map<string, Key<number>>();
  for (const key of items.flatMap(buildDeclarationKeys)) {
    keys.set(toKeyText(key), key);
    const previousKey = toPreviousKey(key);
    if (previousKey.sk > 0) keys.set(toKeyText(previousKey), previousKey);
  }
  const revisions = await batchGet<StoredRevision>(client, table, [...keys.values()]);
  return new Map(revisions.map((item) => [toKeyText({ pk: item.pk, sk: toInteger(item.sk) }), item]));
}

/** Converts an item of the log to an entry; null if one of its declarations is not visible yet. */
function toLogEntry(item: LogItem, revisions: ReadonlyMap<string, StoredRevision>): LogEntry | null {
  const declarations: LoggedDeclaration[] = [];
  for (const key of buildDeclarationKeys(item)) {
    const revision = revisions.get(toKeyText(key));
    if (!revision) return null;
    const previous = revisions.get(toKeyText(toPreviousKey(key)));
    declarations.push({ ...toOwnedRevision(revision), previousPosition: previous ? readLogPosition(previous) : null });
  }
  return { number: toInteger(item.sk), declarations };
}

/** Converts an item of Declarations to a declaration and the supplier that declared it. */
function toOwnedRevision(item: RevisionItem & Key<unknown>): OwnedRevision {
  const [tenant = '', supplierId = '', invoiceId = ''] = item.pk.split('#');
  return { scope: { tenant, supplierId }, revision: toRevision(invoiceId, item) };
}

const toPreviousKey = ({ pk, sk }: Key<number>): Key<number> => ({ pk, sk: sk - 1 });

const toKeyText = ({ pk, sk }: Key<number>) => `${pk}#${sk}`;

/** Creates the allocator of a process, which assigns positions in the logs of tenants to transactions. */
export function createSequenceAllocator(client: DynamoDBDocumentClient, table: string) {
  const logs = createLruCache<TenantLog>(MAX_CACHED_TENANTS);
  // Each process begins with a random shard, so that processes rarely conflict.
  const firstShard = randomInt(LOG_SHARDS);

  function getLog(tenant: string): TenantLog {
    const cachedLog = logs.get(tenant);
    if (cachedLog) return cachedLog;
    const freeShards = Array.from({ length: LOG_SHARDS }, (_, index) => (firstShard + index) % LOG_SHARDS);
    const log = { freeShards, latestNumbers: new Map<number, number>() };
    logs.set(tenant, log);
    return log;
  }

  /** Returns the latest number in a shard, and reads it if this process has not cached it. */
  async function getLatestNumber(tenant: string, { latestNumbers }: TenantLog, shard: number) {
    const latestNumber = latestNumbers.get(shard) ?? (await readLatestNumber(client, table, tenant, shard));
    latestNumbers.set(shard, latestNumber);
    return latestNumber;
  }

  return {
    /** Reads the next numbers for a number of transactions, so that these transactions need no read of their own. */
    async prepare(tenant: string, transactions: number): Promise<void> {
      const log = getLog(tenant);
      // `acquire` takes the last free shard first.
      const nextShards = log.freeShards.slice(-transactions);
      await Promise.all(nextShards.map((shard) => getLatestNumber(tenant, log, shard)));
    },

    /** Reserves a shard that no other transaction of this process uses; if no shard is free, selects one at random. */
    acquire(tenant: string) {
      const log = getLog(tenant);
      const freeShard = log.freeShards.pop();
      const shard = freeShard ?? randomInt(LOG_SHARDS);
      return {
        /** Returns the next position in the shard. Another process may have used its number meanwhile. */
        getNext: async () => ({ shard, number: (await getLatestNumber(tenant, log, shard)) + 1 }),
        /** Stores the number of the latest entry in the shard; null if the number must be read again. */
        setLatest(latestNumber: number | null): void {
          if (latestNumber === null) log.latestNumbers.delete(shard);
          else log.latestNumbers.set(shard, latestNumber);
        },
        release(): void {
          if (freeShard !== undefined) log.freeShards.push(freeShard);
        },
      };
    },
  };
}
