import { type DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { DeclarationRevision } from '../domain/declaration.ts';
import { WriteRejectedError } from '../domain/errors.ts';
import type { SupplierScope } from '../domain/invoice.ts';
import { attempts } from '../runtime/attempts.ts';
import { systemClock } from '../runtime/clock.ts';
import { randomInt } from '../runtime/ids.ts';
import { createLruCache } from '../runtime/lru-cache.ts';
import { collectPages } from '../runtime/pages.ts';
import type { CommitOutcome, LogPosition } from '../invoices/transactions.ts';
import { type StoredNumber, toInteger } from './dynamodb/values.ts';
import { batchGet, buildPartitionCondition, type Key, queryPages } from './dynamodb/reads.ts';
import { buildDeclarationKeys, type LogItem, readLogPosition, type RevisionItem, toRevision } from './history-items.ts';
import type { RevisionKey } from './invoice-table.ts';
import {
  buildDeclarationPartition,
  buildEpochKey,
  buildLogPartition,
  buildShardListPartition,
  LOG_SHARDS,
  parseDeclarationPartition,
} from './keys.ts';

export interface OwnedRevision {
  readonly scope: SupplierScope;
  readonly revision: DeclarationRevision;
}

/** The declarations of one log entry. The declarations of one invoice are in the order of their revisions. */
export interface LogEntry {
  readonly number: number;
  readonly declarations: readonly LoggedDeclaration[];
}

/** A declaration, with the log position of the previous declaration of its invoice, or null if the log has none. */
export interface LoggedDeclaration extends OwnedRevision {
  readonly previousPosition: LogPosition | null;
}

/** The result of a transaction. `isNumberTaken` is true if another transaction uses its sequence number. */
export type LoggedOutcome = CommitOutcome & { readonly isNumberTaken?: boolean };

type StoredEntry = { readonly number: number; readonly entry: LogEntry | null };

type StoredRevision = RevisionItem & Key<StoredNumber>;

/** The log of a tenant in this process: the free shards, and the latest sequence number of each shard. */
interface TenantLog {
  readonly freeShards: number[];
  readonly latestNumbers: Map<number, number>;
  usedMs: number;
}

const PAGE_ENTRIES = 100;
const MAX_CACHED_TENANTS = 1000;
// After a longer time without a declaration, other processes have often used the cached numbers.
const MAX_UNUSED_MS = 10_000;

/** Creates the reader of declaration histories. All reads by key are strongly consistent. */
export function createDeclarationTable(client: DynamoDBDocumentClient, table: string) {
  const readByKeys = async (keys: readonly Key<number>[]) =>
    (await batchGet<RevisionItem & Key<unknown>>(client, table, keys)).map(toOwnedRevision);

  return {
    /** Reads all declarations of an invoice, oldest first. */
    async readHistory(scope: SupplierScope, invoiceId: string) {
      const query = { TableName: table, ...buildPartitionCondition(buildDeclarationPartition(scope, invoiceId)) };
      return (await collectPages(queryPages<RevisionItem>(client, query))).map((item) => toRevision(invoiceId, item));
    },

    /** Reads the declarations with these keys, in any order. The keys must differ. Omits missing declarations. */
    async readRevisions(scope: SupplierScope, revisions: readonly RevisionKey[]) {
      const keys = revisions.map((key) => ({ pk: buildDeclarationPartition(scope, key.invoiceId), sk: key.revision }));
      return (await readByKeys(keys)).map(({ revision }) => revision);
    },

    /** Finds the declarations of a request, sorted by invoice. The index can lack the writes of the last seconds. */
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
      // In numeric order, invoice 9 is before invoice 10.
      return declarations.toSorted((a, b) => toSortText(a).localeCompare(toSortText(b), 'en', { numeric: true }));
    },
  };
}

/** Reads the latest sequence number of a shard, strongly consistent. Returns 0 if the shard has no entry. */
async function readLatestNumber(client: DynamoDBDocumentClient, table: string, tenant: string, shard: number) {
  const latest = { ScanIndexForward: false, Limit: 1, ProjectionExpression: 'sk', ConsistentRead: true };
  const query = { TableName: table, ...buildPartitionCondition(buildLogPartition(tenant, shard)), ...latest };
  const { Items = [] } = await client.send(new QueryCommand(query));
  const [item] = Items as Pick<LogItem, 'sk'>[];
  return item ? toInteger(item.sk) : 0;
}

/** Creates the reader of the declaration logs of tenants. The sequence numbers of a shard have no gaps. */
export function createDeclarationLog(client: DynamoDBDocumentClient, table: string) {
  /** Yields the stored entries of a shard after a number. An entry is null if one of its declarations does not exist. */
  async function* readStored(tenant: string, shard: number, number = 0): AsyncGenerator<StoredEntry[], undefined> {
    const query = {
      TableName: table,
      Limit: PAGE_ENTRIES,
      KeyConditionExpression: 'pk = :pk AND sk > :number',
      ExpressionAttributeValues: { ':pk': buildLogPartition(tenant, shard), ':number': number },
    };
    for await (const items of queryPages<LogItem>(client, query)) {
      const revisions = await readLoggedRevisions(client, table, items);
      yield items.map((item) => ({ number: toInteger(item.sk), entry: toLogEntry(item, revisions) }));
    }
  }

  return {
    shardCount: LOG_SHARDS.all,
    /**
     * Reads the epoch of a log. A restore of the tables starts a new one, because the same sequence numbers can then
     * belong to other declarations. Null is the first epoch.
     */
    async readEpoch(tenant: string) {
      const get = new GetCommand({ TableName: table, Key: buildEpochKey(tenant), ConsistentRead: true });
      return ((await client.send(get)).Item?.['epoch'] as string | undefined) ?? null;
    },
    async startEpoch(tenant: string, epoch: string) {
      await client.send(new PutCommand({ TableName: table, Item: { ...buildEpochKey(tenant), epoch } }));
    },
    /** Reads the latest sequence number of each shard, strongly consistent. It is 0 for a shard that is not in use. */
    async readLatestNumbers(tenant: string): Promise<number[]> {
      const list = { TableName: table, ...buildPartitionCondition(buildShardListPartition(tenant)) };
      const listed = collectPages(queryPages<Key<StoredNumber>>(client, list));
      const read = async (_: unknown, shard: number) => {
        const isInUse = shard < LOG_SHARDS.first || (await listed).some(({ sk }) => toInteger(sk) === shard);
        return isInUse ? readLatestNumber(client, table, tenant, shard) : 0;
      };
      return Promise.all(Array.from({ length: LOG_SHARDS.all }, read));
    },
    readStored,
    /** Reads the entries after `number`, without a gap. Throws if there is none, so `number` must not be the latest. */
    async readAfter(tenant: string, shard: number, number: number): Promise<LogEntry[]> {
      // The items of a transaction become visible one after another. The next attempt can read the missing items.
      for await (const _ of attempts()) {
        const { value: page = [] } = await readStored(tenant, shard, number).next();
        const entries: LogEntry[] = [];
        for (const { entry } of page) {
          if (entry?.number !== number + entries.length + 1) break;
          entries.push(entry);
        }
        if (entries.length > 0) return entries;
      }
      throw new Error(`The log of ${tenant} has no readable entry after ${number} in its shard ${shard}.`);
    },
  };
}

/** Reads the declarations of log entries, and the declaration before each of them, by key text. */
async function readLoggedRevisions(client: DynamoDBDocumentClient, table: string, items: readonly LogItem[]) {
  const keys = items.flatMap(buildDeclarationKeys).flatMap((key) => [key, toPreviousKey(key)]);
  const differentKeys = new Map(keys.filter(({ sk }) => sk > 0).map((key) => [toKeyText(key), key]));
  const revisions = await batchGet<StoredRevision>(client, table, [...differentKeys.values()]);
  return new Map(revisions.map((item) => [toKeyText({ pk: item.pk, sk: toInteger(item.sk) }), item]));
}

/** Converts an item of the log to an entry. Returns null if a declaration of the entry is not visible yet. */
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

/** Converts an item of the table Declarations to a revision, with the supplier that declared the amount. */
function toOwnedRevision(item: RevisionItem & Key<unknown>): OwnedRevision {
  const { scope, invoiceId } = parseDeclarationPartition(item.pk);
  return { scope, revision: toRevision(invoiceId, item) };
}

const toPreviousKey = ({ pk, sk }: Key<number>): Key<number> => ({ pk, sk: sk - 1 });

const toKeyText = ({ pk, sk }: Key<number>) => `${pk}#${sk}`;

/** Creates the allocator of a process. It assigns positions in the declaration logs to transactions. */
export function createSequenceAllocator(client: DynamoDBDocumentClient, table: string) {
  const logs = createLruCache<TenantLog>(MAX_CACHED_TENANTS);

  function getLog(tenant: string): TenantLog {
    const usedMs = systemClock.now().getTime();
    const cachedLog = logs.get(tenant);
    if (cachedLog && usedMs - cachedLog.usedMs < MAX_UNUSED_MS) return Object.assign(cachedLog, { usedMs });
    // Each process begins with a random shard, so that two processes rarely use the same shard.
    const first = randomInt(LOG_SHARDS.first);
    const freeShards = Array.from({ length: LOG_SHARDS.first }, (_, index) => (first + index) % LOG_SHARDS.first);
    const log = { freeShards, latestNumbers: new Map<number, number>(), usedMs };
    logs.set(tenant, log);
    return log;
  }

  /** Returns the latest sequence number of a shard. Reads the number if this process has not cached it. */
  async function getLatestNumber(tenant: string, { latestNumbers }: TenantLog, shard: number) {
    const latestNumber = latestNumbers.get(shard) ?? (await readLatestNumber(client, table, tenant, shard));
    latestNumbers.set(shard, latestNumber);
    return latestNumber;
  }

  return {
    /** Caches the latest numbers of the shards that the next transactions will use, so that `addEntries` needs no read. */
    async prepare(tenant: string, transactions: number): Promise<void> {
      const log = getLog(tenant);
      // `addEntries` removes the shards from the end of the list.
      const nextShards = log.freeShards.slice(-transactions);
      await Promise.all(nextShards.map((shard) => getLatestNumber(tenant, log, shard)));
    },

    /**
     * Runs a transaction that adds entries from the next position of a shard, and `listItems`, with which readers find
     * the shard. If another transaction uses the position first, the process leaves the shard for a random one.
     */
    async addEntries(
      tenant: string,
      entryCount: number,
      write: (first: LogPosition, listItems: readonly Key<number>[]) => Promise<LoggedOutcome>,
    ): Promise<LoggedOutcome> {
      const log = getLog(tenant);
      let shard = log.freeShards.pop() ?? randomInt(LOG_SHARDS.first);
      try {
        const latestNumber = await getLatestNumber(tenant, log, shard).catch((error: Error) => {
          throw new WriteRejectedError(error);
        });
        const isUnlisted = latestNumber === 0 && shard >= LOG_SHARDS.first;
        const listItems = isUnlisted ? [{ pk: buildShardListPartition(tenant), sk: shard }] : [];
        // If the write throws, its result may be unknown. Then the next transaction reads the number again.
        log.latestNumbers.delete(shard);
        const outcome = await write({ shard, number: latestNumber + 1 }, listItems);
        if (outcome.isNumberTaken) shard = randomInt(LOG_SHARDS.all);
        else log.latestNumbers.set(shard, outcome.kind === 'committed' ? latestNumber + entryCount : latestNumber);
        return outcome;
      } finally {
        log.freeShards.push(shard);
      }
    },
  };
}
