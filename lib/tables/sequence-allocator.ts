import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { randomInt } from '../runtime/ids.ts';
import { createLruCache } from '../runtime/lru-cache.ts';
import type { LogPosition } from '../invoices/transactions.ts';
import { LOG_SHARDS } from './keys.ts';
import { readLatestNumber } from './declaration-table.ts';

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
