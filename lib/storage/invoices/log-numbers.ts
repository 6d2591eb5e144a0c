import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { randomBelow } from '../../runtime/ids.ts';
import { createLruCache } from '../../runtime/lru-cache.ts';
import type { LogPosition } from '../../services/transactions.ts';
import { LOG_SHARDS } from '../items/keys.ts';
import { readLatestNumber } from './declaration-log.ts';

/** Gives transactions their numbers in the log of a tenant's declarations. */
export interface LogNumbers {
  /** Learns the next numbers, so that so many transactions that come soon need not wait for them. */
  readonly prepare: (tenant: string, transactions: number) => Promise<void>;
  /** Lends a shard that no other transaction of this process writes to. */
  readonly lend: (tenant: string) => LentShard;
}

/** A shard of a log while a transaction writes to it. */
export interface LentShard {
  /** The first number after an entry that is known to stand there; another process may have taken it meanwhile. */
  readonly next: () => Promise<LogPosition>;
  /** The latest entry that is known to stand there; null: it must be read. */
  readonly keep: (latest: number | null) => void;
  readonly giveBack: () => void;
}

/** What this process knows of a tenant's log: the shards to lend, and their latest entries. */
interface TenantLog {
  readonly free: number[];
  readonly latest: Map<number, number>;
}

const REMEMBERED_TENANTS = 1000;

/** Makes what gives out the numbers of a process; each process begins with another shard. */
export function createLogNumbers(client: DynamoDBDocumentClient, table: string): LogNumbers {
  const logs = createLruCache<TenantLog>(REMEMBERED_TENANTS);
  const first = randomBelow(LOG_SHARDS);
  const logOf = (tenant: string): TenantLog => {
    const known = logs.get(tenant);
    if (known) return known;
    const free = Array.from({ length: LOG_SHARDS }, (_, index) => (first + index) % LOG_SHARDS);
    const log = { free, latest: new Map<number, number>() };
    logs.set(tenant, log, 1);
    return log;
  };
  const latestIn = async (tenant: string, { latest }: TenantLog, shard: number) => {
    const known = latest.get(shard) ?? (await readLatestNumber(client, table, tenant, shard));
    latest.set(shard, known);
    return known;
  };

  return {
    async prepare(tenant, transactions) {
      const log = logOf(tenant);
      await Promise.all(log.free.slice(-transactions).map((shard) => latestIn(tenant, log, shard)));
    },
    lend(tenant) {
      const log = logOf(tenant);
      const free = log.free.pop();
      const shard = free ?? randomBelow(LOG_SHARDS);
      return {
        next: async () => ({ shard, number: (await latestIn(tenant, log, shard)) + 1 }),
        keep: (latest) => void (latest === null ? log.latest.delete(shard) : log.latest.set(shard, latest)),
        giveBack: () => void (free !== undefined && log.free.push(free)),
      };
    },
  };
}
