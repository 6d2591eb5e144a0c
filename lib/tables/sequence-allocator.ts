import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { randomBelow } from '../runtime/ids.ts';
import { createLruCache } from '../runtime/lru-cache.ts';
import type { LogPosition } from '../invoices/transactions.ts';
import { LOG_SHARDS } from './keys.ts';
import { readLatestNumber } from './declaration-log.ts';

/** Assigns sequence numbers in the log of a tenant's declarations to transactions. */
export interface SequenceAllocator {
  /** Reads the next numbers for the given number of transactions, which then need no read of their own. */
  readonly prepare: (tenant: string, transactions: number) => Promise<void>;
  /** Reserves a shard that no other transaction of this process uses. */
  readonly acquire: (tenant: string) => ShardLease;
}

/** A shard of a log that a transaction has reserved. */
export interface ShardLease {
  /** Returns the next sequence number that this process knows; another process may have used it meanwhile. */
  readonly next: () => Promise<LogPosition>;
  /** Stores the number of the latest entry; null if it must be read again. */
  readonly setLatest: (latest: number | null) => void;
  readonly release: () => void;
}

/** The free shards of a tenant's log in this process, and the numbers of their latest entries. */
interface TenantLog {
  readonly free: number[];
  readonly latest: Map<number, number>;
}

const REMEMBERED_TENANTS = 1000;

/** Creates the sequence numbers of a process. Each process begins with another shard. */
export function createSequenceAllocator(client: DynamoDBDocumentClient, table: string): SequenceAllocator {
  const logs = createLruCache<TenantLog>(REMEMBERED_TENANTS);
  const first = randomBelow(LOG_SHARDS);
  const findLog = (tenant: string): TenantLog => {
    const known = logs.get(tenant);
    if (known) return known;
    const free = Array.from({ length: LOG_SHARDS }, (_, index) => (first + index) % LOG_SHARDS);
    const log = { free, latest: new Map<number, number>() };
    logs.set(tenant, log);
    return log;
  };
  const latestIn = async (tenant: string, { latest }: TenantLog, shard: number) => {
    const known = latest.get(shard) ?? (await readLatestNumber(client, table, tenant, shard));
    latest.set(shard, known);
    return known;
  };

  return {
    async prepare(tenant, transactions) {
      const log = findLog(tenant);
      await Promise.all(log.free.slice(-transactions).map((shard) => latestIn(tenant, log, shard)));
    },
    acquire(tenant) {
      const log = findLog(tenant);
      const free = log.free.pop();
      const shard = free ?? randomBelow(LOG_SHARDS);
      return {
        next: async () => ({ shard, number: (await latestIn(tenant, log, shard)) + 1 }),
        setLatest: (latest) => void (latest === null ? log.latest.delete(shard) : log.latest.set(shard, latest)),
        release: () => void (free !== undefined && log.free.push(free)),
      };
    },
  };
}
