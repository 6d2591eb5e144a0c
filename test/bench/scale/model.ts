import {
  BUSIEST_SECOND,
  durationMs,
  type Kind,
  KMS_CACHE_S,
  limits,
  monthEnd,
  PUBLIC_KEYS_S,
  requestsOfSupplier,
  TRANSACTION_MS,
  userLimits,
} from './assumptions.ts';

/** Units that a request takes from a key or a table. */
export interface Taken {
  readonly read: number;
  readonly write: number;
}

/** Who shares a key: everybody, a tenant, a shard of a tenant's log, or only one supplier. */
export type Sharing = 'all' | 'tenant' | 'log shard' | 'supplier';

/** A kind of key, with what each kind of request takes from it. */
export interface KeyUse {
  readonly name: string;
  readonly sharing: Sharing;
  readonly taken: Readonly<Partial<Record<Kind, Taken>>>;
}

/** What was measured, and what the stack is. */
export interface Measured {
  readonly keys: readonly KeyUse[];
  readonly tables: readonly KeyUse[];
  /** The units of reading the public keys, and how many transactions a request writes to the log. */
  readonly publicKeys: number;
  readonly logShards: number;
  readonly transactions: Readonly<Partial<Record<Kind, number>>>;
  /** Requests a second that the stage lets through, of all kinds and of logins. */
  readonly stage: { readonly all: number; readonly login: number };
}

/** Something that can be full: its load in the busiest second, and the most there may be. */
export interface Load {
  readonly name: string;
  readonly load: number;
  readonly limit: number;
  /** Whether it is one item or partition. */
  readonly isKey: boolean;
}

const SECONDS_OF_HOUR = 3_600;

/** How many requests of each kind come in the busiest second. */
export function requestsPerSecond(suppliers: number): Readonly<Record<Kind, number>> {
  const seconds = monthEnd.hours * SECONDS_OF_HOUR;
  const perSecond = (count: number) => (count * suppliers * BUSIEST_SECOND) / seconds;
  const rates = Object.entries(requestsOfSupplier()).map(([kind, count]) => [kind, perSecond(count)]);
  return Object.fromEntries(rates) as Record<Kind, number>;
}

/** Everything that can be full, with its load when so many suppliers are spread evenly over tenants. */
export function loadsOf(measured: Measured, suppliers: number, tenants: number): Load[] {
  const rates = requestsPerSecond(suppliers);
  const all = sumOver(rates, () => 1);
  const executions = sumOver(rates, (kind) => durationMs[kind] / 1000);
  const transactions = sumOver(rates, (kind) => measured.transactions[kind] ?? 0) / tenants / measured.logShards;
  const ofKeys = measured.keys.flatMap(({ name, sharing, taken }) =>
    unitLoads(name, taken, ratesOf(sharing, rates, tenants, measured.logShards), limits, true),
  );
  const ofTables = measured.tables.flatMap(({ name, taken }) =>
    unitLoads(name, taken, rates, { readUnits: limits.tableUnits, writeUnits: limits.tableUnits }, false),
  );
  const quota = (name: string, load: number, limit: number): Load => ({ name, load, limit, isKey: false });
  return [
    ...ofKeys,
    {
      name: 'public keys, read',
      load: (executions / PUBLIC_KEYS_S) * measured.publicKeys,
      limit: limits.readUnits,
      isKey: true,
    },
    // An entry has the number after the one before: the transactions of a shard follow one another.
    { name: 'log shard, transactions', load: transactions, limit: 1000 / TRANSACTION_MS, isKey: true },
    ...ofTables,
    quota('stage, requests', all, measured.stage.all),
    quota('stage, logins', rates.login, measured.stage.login),
    quota('account, gateway requests', all, limits.gateway),
    quota('account, Lambda executions', executions, limits.executions),
    // Only a process that is under way asks, for each table again when its key has expired.
    quota('account, KMS calls', (executions * measured.tables.length) / KMS_CACHE_S, limits.kms),
  ];
}

/** How many suppliers there may be until a load that grows with them is at its limit; infinite if it does not grow. */
export function holdsUpTo(measured: Measured, name: string, tenants: number): number {
  const [one, two] = [1_000_000, 2_000_000].map((suppliers) =>
    loadsOf(measured, suppliers, tenants).find((load) => load.name === name),
  );
  if (!one || !two || one.load === two.load) return Number.POSITIVE_INFINITY;
  return (one.limit / one.load) * 1_000_000;
}

function sumOver(rates: Readonly<Record<Kind, number>>, weight: (kind: Kind) => number): number {
  return Object.entries(rates).reduce((sum, [kind, rate]) => sum + rate * weight(kind as Kind), 0);
}

/** How often the hottest key is touched in a second, by kind of request. */
function ratesOf(
  sharing: Sharing,
  rates: Readonly<Record<Kind, number>>,
  tenants: number,
  logShards: number,
): Readonly<Record<Kind, number>> {
  // One user at its limits is far above the average supplier, and does not grow with their number.
  if (sharing === 'supplier') {
    const perSecond = { list: userLimits.reads / 60, batch: userLimits.writes / 60 };
    return { login: 1 / 60, detail: 0, validate: 0, declare: 0, ...perSecond };
  }
  const parts = { all: 1, tenant: tenants, 'log shard': tenants * logShards }[sharing];
  return Object.fromEntries(Object.entries(rates).map(([kind, rate]) => [kind, rate / parts])) as Record<Kind, number>;
}

function unitLoads(
  name: string,
  taken: KeyUse['taken'],
  rates: Readonly<Record<Kind, number>>,
  most: { readonly readUnits: number; readonly writeUnits: number },
  isKey: boolean,
): Load[] {
  const load = (part: keyof Taken) => sumOver(rates, (kind) => taken[kind]?.[part] ?? 0);
  const loads = [
    { name: `${name}, read`, load: load('read'), limit: most.readUnits, isKey },
    { name: `${name}, write`, load: load('write'), limit: most.writeUnits, isKey },
  ];
  return loads.filter((one) => one.load > 0);
}
