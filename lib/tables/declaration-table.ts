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
import { type LogItem, buildDeclarationKeys, readLogPosition, type RevisionItem, toRevision } from './history-items.ts';
import type { RevisionKey } from './invoice-table.ts';
import { buildDeclarationPartition, LOG_SHARDS, buildLogPartition } from './keys.ts';

export interface OwnedRevision {
  readonly scope: SupplierScope;
  readonly revision: DeclarationRevision;
}

/** Creates the reader of declaration histories, strongly consistent. */
export function createDeclarationTable(client: DynamoDBDocumentClient, table: string) {
  const read = async (keys: readonly Key<number>[]) =>
    (await batchGet<RevisionItem & Key<unknown>>(client, table, keys)).map(toOwnedRevision);

  return {
    /** Reads all declarations of an invoice, oldest first. */
    async history(scope: SupplierScope, invoiceId: string) {
      const query = { TableName: table, ...buildPartitionCondition(buildDeclarationPartition(scope, invoiceId)) };
      return (await collectPages(queryPages<RevisionItem>(client, query))).map((item) => toRevision(invoiceId, item));
    },

    /** Reads the declarations of distinct keys, in any order; omits declarations that do not exist. */
    async revisions(scope: SupplierScope, wanted: readonly RevisionKey[]) {
      const keys = wanted.map((key) => ({ pk: buildDeclarationPartition(scope, key.invoiceId), sk: key.revision }));
      return (await read(keys)).map(({ revision }) => revision);
    },

    /**
     * Finds all declarations that a request wrote, sorted by supplier, invoice and revision. Writes of the last seconds
     * may be absent, because the index is eventually consistent.
     */
    async ofRequest(requestId: string) {
      const ofRequest = {
        TableName: table,
        IndexName: 'requests',
        KeyConditionExpression: 'log_request = :request',
        ExpressionAttributeValues: { ':request': requestId },
        ConsistentRead: false,
      };
      const entries = await collectPages(queryPages<LogItem>(client, ofRequest));
      const found = await read(entries.flatMap(buildDeclarationKeys));
      const toSortText = ({ scope, revision: { invoiceId, revision } }: OwnedRevision) =>
        keyText({ pk: buildDeclarationPartition(scope, invoiceId), sk: revision });
      return found.toSorted((a, b) => toSortText(a).localeCompare(toSortText(b), 'en', { numeric: true }));
    },
  };
}

/** Converts an item of Declarations to a declaration and the supplier that declared it. */
function toOwnedRevision(item: RevisionItem & Key<unknown>): OwnedRevision {
  const [tenant = '', supplierId = '', invoiceId = ''] = item.pk.split('#');
  return { scope: { tenant, supplierId }, revision: toRevision(invoiceId, item) };
}

const keyText = ({ pk, sk }: Key<number>) => `${pk}#${sk}`;

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

type StoredRevision = RevisionItem & Key<StoredNumber>;

/** Reads the number of the latest entry in a shard of a tenant's log, strongly consistent; 0 if there is none. */
export async function readLatestNumber(
  client: DynamoDBDocumentClient,
  table: string,
  tenant: string,
  shard: number,
): Promise<number> {
  const latest = { ScanIndexForward: false, Limit: 1, ProjectionExpression: 'sk', ConsistentRead: true };
  const query = { TableName: table, ...buildPartitionCondition(buildLogPartition(tenant, shard)), ...latest };
  const { Items = [] } = await client.send(new QueryCommand(query));
  const [item] = Items as Pick<LogItem, 'sk'>[];
  return item ? toInteger(item.sk) : 0;
}

/** Creates the reader of the log of all declarations of a tenant: in a shard, an entry is written only after the entries before it. */
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
        const entries = await readEntries(client, table, buildLogPartition(tenant, shard), number);
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
  const keys = items.flatMap(buildDeclarationKeys);
  const before = keys.flatMap(({ pk: history, sk }) => (sk > 1 ? [{ pk: history, sk: sk - 1 }] : []));
  const wanted = new Map([...keys, ...before].map((key) => [keyText(key), key]));
  const found = await batchGet<StoredRevision>(client, table, [...wanted.values()]);
  const revisions = new Map(found.map((item) => [keyText({ pk: item.pk, sk: toInteger(item.sk) }), item]));

  const entries: LogEntry[] = [];
  for (const item of items) {
    const own = buildDeclarationKeys(item);
    const isComplete = own.every((key) => revisions.has(keyText(key)));
    if (toInteger(item.sk) !== number + entries.length + 1 || !isComplete) break;
    entries.push({
      number: toInteger(item.sk),
      declarations: own.flatMap((key) => {
        const revision = revisions.get(keyText(key));
        const previous = revisions.get(keyText({ ...key, sk: key.sk - 1 }));
        return revision ? [{ ...toOwnedRevision(revision), follows: previous ? readLogPosition(previous) : null }] : [];
      }),
    });
  }
  return entries;
}

/** The free shards of a tenant's log in this process, and the numbers of their latest entries. */
interface TenantLog {
  readonly free: number[];
  readonly latest: Map<number, number>;
}

const REMEMBERED_TENANTS = 1000;

/**
 * Creates the allocator of a process, which assigns sequence numbers in the logs of tenants to transactions. Each
 * process begins with another shard.
 */
export function createSequenceAllocator(client: DynamoDBDocumentClient, table: string) {
  const logs = createLruCache<TenantLog>(REMEMBERED_TENANTS);
  const first = randomInt(LOG_SHARDS);
  function findLog(tenant: string): TenantLog {
    const free = Array.from({ length: LOG_SHARDS }, (_, index) => (first + index) % LOG_SHARDS);
    const log = logs.get(tenant) ?? { free, latest: new Map<number, number>() };
    logs.set(tenant, log);
    return log;
  }
  async function latestIn(tenant: string, { latest }: TenantLog, shard: number) {
    const known = latest.get(shard) ?? (await readLatestNumber(client, table, tenant, shard));
    latest.set(shard, known);
    return known;
  }

  return {
    /** Reads the next numbers for the given number of transactions, which then need no read of their own. */
    async prepare(tenant: string, transactions: number): Promise<void> {
      const log = findLog(tenant);
      await Promise.all(log.free.slice(-transactions).map((shard) => latestIn(tenant, log, shard)));
    },
    /** Reserves a shard that no other transaction of this process uses. */
    acquire(tenant: string) {
      const log = findLog(tenant);
      const free = log.free.pop();
      const shard = free ?? randomInt(LOG_SHARDS);
      return {
        /** Returns the next sequence number that this process knows; another process may have used it meanwhile. */
        next: async (): Promise<LogPosition> => ({ shard, number: (await latestIn(tenant, log, shard)) + 1 }),
        /** Stores the number of the latest entry; null if it must be read again. */
        setLatest: (latest: number | null) =>
          void (latest === null ? log.latest.delete(shard) : log.latest.set(shard, latest)),
        release: () => void (free !== undefined && log.free.push(free)),
      };
    },
  };
}
