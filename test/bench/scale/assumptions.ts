/** A request of the month's end. */
export type Kind = 'login' | 'list' | 'detail' | 'validate' | 'declare' | 'batch';

/** How long the month's end lasts, and how much of a month's declarations it has. */
export const monthEnd = { hours: 6, shareOfMonth: 1 / 3 } as const;

/** How many times as many requests as on average the busiest second has. */
export const BUSIEST_SECOND = 2;

/** What a supplier does in a month. */
export const month = { invoices: 100, shareInBatches: 1 / 2 } as const;

/** How often a supplier reads every page of its month's list meanwhile, and how many rows a page has. */
export const lists = { times: 2, rows: 25 } as const;

/** The most that a batch declares. */
export const BATCH = 100;

/** What one user may do in a minute: the hottest supplier has one who does it, with batches and lists. */
export const userLimits = { reads: 30, writes: 10 } as const;

/** How many tenants "spread" means. A tenant has one company with one API key. */
export const SPREAD = 50;

/** How long a warm request takes on Lambda, in ms, as in the costs of the deployment guide. */
export const durationMs: Readonly<Record<Kind, number>> = {
  login: 150,
  list: 60,
  detail: 30,
  validate: 30,
  declare: 60,
  batch: 400,
};

/** How long a transaction that declares holds its shard of the log, in ms, with the round trip of its process. */
export const TRANSACTION_MS = 20;

/** How long DynamoDB keeps the key of a table for a caller before it asks KMS again, in seconds. */
export const KMS_CACHE_S = 300;

/** How long a process keeps the public keys, in seconds. */
export const PUBLIC_KEYS_S = 60;

/** The limits: of one item or partition, and the default quotas of an account. */
export const limits = {
  readUnits: 3_000,
  writeUnits: 1_000,
  tableUnits: 40_000,
  executions: 1_000,
  gateway: 10_000,
  kms: 10_000,
} as const;

/** What each supplier asks for in the hours of the month's end, by kind. */
export function requestsOfSupplier(): Readonly<Record<Kind, number>> {
  const invoices = month.invoices * monthEnd.shareOfMonth;
  return {
    login: 1,
    list: Math.ceil(month.invoices / lists.rows) * lists.times,
    detail: invoices,
    validate: invoices,
    declare: invoices * (1 - month.shareInBatches),
    // At their limit: a supplier with fewer declares them all in one.
    batch: Math.ceil((invoices * month.shareInBatches) / BATCH),
  };
}
