import type { StateCode } from '../../domain/invoice-states.ts';
import type { SupplierScope } from '../../domain/invoice.ts';
import { ID_DIGITS, monthOf } from '../../domain/list-entry.ts';
import { keyedHash } from '../../runtime/keyed-hash.ts';
import type { Key } from '../dynamodb/key.ts';

/** The partition of the public signing keys in Directory. */
export const JWKS_PARTITION = 'JWKS';

/** The primary key of the private signing key in use. */
export const SIGNING_KEY: Key = { pk: 'SIGNING_KEY', sk: 'CURRENT' };

/** How many items share a month's day counters, so that parallel writers rarely meet. */
export const COUNTER_SHARDS = 6;

/** How many shards the log of a tenant's declarations has, so that the processes that write to it rarely meet. */
export const LOG_SHARDS = 32;

const VERSION_DIGITS = 10;

const inTenant = (tenant: string, sk: string): Key => ({ pk: `TENANT#${tenant}`, sk });

/** The keys of Directory. */
export const directoryKeys = {
  /** Every request reads this item, and a partition has 3,000 read units a second: so it has one of its own. */
  tenant: (tenant: string): Key => ({ pk: `TENANT#${tenant}#TENANT`, sk: 'TENANT' }),
  company: (tenant: string, companyId: string) => inTenant(tenant, `COMPANY#${companyId}`),
  supplier: (tenant: string, supplierId: string) => inTenant(tenant, `SUPPLIER#${supplierId}`),
  user: (tenant: string, userId: string) => inTenant(tenant, `USER#${userId}`),
  login: (tenant: string, loginName: string) => inTenant(tenant, `LOGIN#${loginName.toLowerCase()}`),
  apiKey: (hash: string): Key => ({ pk: `APIKEY#${hash}`, sk: 'APIKEY' }),
  /** Points to a key of the tenant, so that its keys can be listed. */
  listedApiKey: (tenant: string, hash: string) => inTenant(tenant, `KEY#${hash}`),
  /** Points to the latest key of this name, so that a key whose text nobody has kept can be found again. */
  apiKeyName: (tenant: string, companyId: string, name: string) => inTenant(tenant, `APIKEYNAME#${companyId}#${name}`),
  /** The credentials of a user, in a partition that the supplier endpoints cannot read. */
  account: (tenant: string, userId: string): Key => ({ pk: `ACCOUNT#${tenant}#${userId}`, sk: 'ACCOUNT' }),
  /**
   * The failures of a login name that nobody has. It may be a password that somebody typed there: only its hash is
   * kept.
   */
  nobody: (tenant: string, loginName: string): Key => ({
    pk: `NOBODY#${keyedHash(tenant, loginName.toLowerCase())}`,
    sk: 'ACCOUNT',
  }),
  publicKey: (kid: string): Key => ({ pk: JWKS_PARTITION, sk: kid }),
} as const;

/** The partition of a supplier's invoices, their state histories and the day counters. */
export const invoicePartition = ({ tenant, supplierId }: SupplierScope) => `${tenant}#${supplierId}`;

/** Whether keys can hold the id; no invoice has a longer one, and DynamoDB refuses a key that is too long. */
export const fitsKeys = (invoiceId: string) => invoiceId.length <= ID_DIGITS;

/** The primary key of an invoice. */
export const invoiceKey = (scope: SupplierScope, invoiceId: string): Key => ({
  pk: invoicePartition(scope),
  sk: invoiceId,
});

/** The sort keys between which all invoices of a supplier lie: ids are digits, and nothing else in its partition is. */
export const invoiceIdBounds = { first: '0', last: ':' } as const;

/** What the sort keys of an invoice's state history begin with. */
export const stateChangePrefix = (invoiceId: string) => `STATE#${invoiceId}#`;

/** The primary key of an entry of an invoice's state history; `version` is the invoice's after the change. */
export const stateChangeKey = (scope: SupplierScope, invoiceId: string, version: number): Key => ({
  pk: invoicePartition(scope),
  sk: stateChangePrefix(invoiceId) + version.toString().padStart(VERSION_DIGITS, '0'),
});

/** The sort key of a month's day counters; `month` is yyyy-mm. */
export const counterSortKey = (month: string, shard: number) => `COUNT#${month}#${shard}`;

/** The month (yyyy-mm) of the sort key of day counters. */
export const counterMonth = (sortKey: string) => sortKey.split('#')[1] ?? '';

/** The partition of a supplier's rows of one month (yyyy-mm). */
export const rowPartition = (scope: SupplierScope, month: string) => `${invoicePartition(scope)}#${month}`;

/** What the sort keys of the rows of a state, or (null) of the rows of all invoices, begin with. */
export const rowPrefix = (state: StateCode | null) => (state ? `S#${state}#` : 'D#');

/** The primary key of the row at a position, in the list of one state or (null) of all invoices. */
export const rowKey = (scope: SupplierScope, position: string, state: StateCode | null): Key => ({
  pk: rowPartition(scope, monthOf(position)),
  sk: rowPrefix(state) + position,
});

/** The position of the row with a sort key. */
export const positionOfRow = (sortKey: string) =>
  sortKey.slice(rowPrefix(sortKey.startsWith('D') ? null : 'PEN').length);

/** The primary key of a part of the index of a supplier's day (yyyy-mm-dd). */
export const dayIndexKey = (scope: SupplierScope, day: string, part: number): Key => ({
  pk: invoicePartition(scope),
  sk: `${day}#${part}`,
});

/** The partition of an invoice's declaration history; its sort key is the revision. */
export const declarationPartition = (scope: SupplierScope, invoiceId: string) =>
  `${invoicePartition(scope)}#${invoiceId}`;

const STATE_CHANGE = /^([^#]+)#([^#]+)\nSTATE#([^#]+)#\d+$/;
// A tenant has no upper-case letter, so that neither the partition of a request nor that of a log is one.
const REVISION = /^([^#A-Z]+)#([^#]+)#([^#]+)$/;

/** Whose entry of which history has a key; a null sort key is a number. Undefined: it is no entry of a history. */
export function historyOwner(pk: string, sk: string | null) {
  const [found, tenant, supplierId, invoiceId] =
    (sk === null ? REVISION.exec(pk) : STATE_CHANGE.exec(`${pk}\n${sk}`)) ?? [];
  if (found === undefined || tenant === undefined || supplierId === undefined || invoiceId === undefined)
    return undefined;
  return { history: sk === null ? 'declarations' : 'states', scope: { tenant, supplierId }, invoiceId } as const;
}

const LOG_PREFIX = 'LOG#';

/** The partition of a shard of a tenant's log of declarations; its sort key is the number of the entry, from 1. */
export const logPartition = (tenant: string, shard: number) => `${LOG_PREFIX}${tenant}#${shard}`;

/** Whether an item that a transaction met is an entry of the log. */
export const isLogKey = ({ pk }: Pick<Key, 'pk'>) => pk.startsWith(LOG_PREFIX);
