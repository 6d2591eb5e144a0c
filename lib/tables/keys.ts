import type { StateCode } from '../domain/invoice-states.ts';
import type { SupplierScope } from '../domain/invoice.ts';
import { toInvoiceId, toMonth } from '../domain/list-entry.ts';
import { LIMITS } from '../domain/limits.ts';
import { hmacSha256 } from '../runtime/ids.ts';
import type { Key } from './dynamodb/reads.ts';

/** The partition of the public signing keys in Directory. */
export const JWKS_PARTITION = 'JWKS';

/** The primary key of the private signing key in use. */
export const SIGNING_KEY: Key = { pk: 'SIGNING_KEY', sk: 'CURRENT' };

/** Builds the partition of the operator record of a tenant in Directory. The sort key begins with the time. */
export const buildOperatorPartition = (tenant: string) => `OPERATOR#${tenant}`;

/** The number of items over which the day counters of a month are spread, so that parallel writes rarely conflict. */
export const COUNTER_SHARDS = 6;

/** The shards of the declaration log of a tenant. A process begins in one of the first, and leaves it after a conflict. */
export const LOG_SHARDS = { first: 32, all: 256 };

export const directoryKeys = {
  /** A separate partition, because every request reads its tenant. A partition serves 3,000 read units a second. */
  tenant: (tenant: string): Key => ({ pk: `TENANT#${tenant}#TENANT`, sk: 'TENANT' }),
  company: (tenant: string, companyId: string) => buildTenantKey(tenant, `COMPANY#${companyId}`),
  supplier: (tenant: string, supplierId: string) => buildTenantKey(tenant, `SUPPLIER#${supplierId}`),
  user: (tenant: string, userId: string) => buildTenantKey(tenant, `USER#${userId}`),
  login: (tenant: string, loginName: string) => buildTenantKey(tenant, `LOGIN#${loginName.toLowerCase()}`),
  apiKey: (hash: string): Key => ({ pk: `APIKEY#${hash}`, sk: 'APIKEY' }),
  archive: (tenant: string) => buildTenantKey(tenant, 'ARCHIVE'),
  /** A reference to an API key of the tenant, so that the keys of a tenant can be listed. */
  listedApiKey: (tenant: string, hash: string) => buildTenantKey(tenant, `KEY#${hash}`),
  /** A reference to the latest API key with this name, so that an operator can find a key by its name. */
  apiKeyName: (tenant: string, companyId: string, name: string) =>
    buildTenantKey(tenant, `APIKEYNAME#${companyId}#${name}`),
  /** The credentials of a user, in a partition that the supplier endpoints cannot read. */
  account: (tenant: string, userId: string): Key => ({ pk: `ACCOUNT#${tenant}#${userId}`, sk: 'ACCOUNT' }),
  /** The failures of an unknown login name. The key contains a hash, because the name can be a mistyped password. */
  unknownLogin: (tenant: string, loginName: string): Key => ({
    pk: `NOBODY#${hmacSha256(tenant, loginName.toLowerCase())}`,
    sk: 'ACCOUNT',
  }),
  publicKey: (kid: string): Key => ({ pk: JWKS_PARTITION, sk: kid }),
} as const;

function buildTenantKey(tenant: string, sk: string): Key {
  return { pk: `TENANT#${tenant}`, sk };
}

/** Builds the partition of a supplier's invoices, their state histories and the day counters. */
export const buildInvoicePartition = ({ tenant, supplierId }: SupplierScope) => `${tenant}#${supplierId}`;

/** True if a key can contain the id. DynamoDB rejects a read with a key that is too long. */
export const isStorableId = (invoiceId: string) => invoiceId.length <= LIMITS.idDigits;

export const buildInvoiceKey = (scope: SupplierScope, invoiceId: string): Key => ({
  pk: buildInvoicePartition(scope),
  sk: invoiceId,
});

/** The prefix of the sort keys of all withdrawn invoices of a supplier. */
export const WITHDRAWN_PREFIX = 'WITHDRAWN#';

/** Builds the primary key of a withdrawn invoice. The functions never read it, so the supplier cannot see the invoice. */
export const buildWithdrawnKey = (scope: SupplierScope, invoiceId: string): Key => ({
  pk: buildInvoicePartition(scope),
  sk: WITHDRAWN_PREFIX + invoiceId,
});

/** Parses the sort key of an invoice, such as `9001`, or `WITHDRAWN#9001` if it is withdrawn. */
export function parseInvoiceSortKey(sortKey: string) {
  const isWithdrawn = sortKey.startsWith(WITHDRAWN_PREFIX);
  return { invoiceId: isWithdrawn ? sortKey.slice(WITHDRAWN_PREFIX.length) : sortKey, isWithdrawn };
}

/** The bounds of the sort keys of invoices, which are digits. Other sort keys of the partition begin with a letter. */
export const ID_BOUNDS = { first: '0', last: ':' } as const;

const VERSION_DIGITS = 10;

/** The prefix of the sort keys of all state histories of a supplier. */
export const STATE_CHANGE_PREFIX = 'STATE#';

/** Builds the prefix of the sort keys of an invoice's state history. */
export const buildStateChangePrefix = (invoiceId: string) => `${STATE_CHANGE_PREFIX}${invoiceId}#`;

/** Builds the primary key of a state history entry. `version` is the version of the invoice after the change. */
export const buildStateChangeKey = (scope: SupplierScope, invoiceId: string, version: number): Key => ({
  pk: buildInvoicePartition(scope),
  sk: buildStateChangePrefix(invoiceId) + version.toString().padStart(VERSION_DIGITS, '0'),
});

/** The prefix of the sort keys of all day counters of a supplier. */
export const COUNTER_PREFIX = 'COUNT#';

/** Builds the sort key of a shard of a month's day counters, such as `COUNT#2026-03#0`. */
export const buildCounterSortKey = (month: string, shard: number) => `${COUNTER_PREFIX}${month}#${shard}`;

/** Parses the month (yyyy-mm) from the sort key of day counters. */
export function parseCounterMonth(sortKey: string): string {
  const [, month = ''] = sortKey.split('#');
  return month;
}

/** Builds the partition of a supplier's rows of one month (yyyy-mm). */
export const buildRowPartition = (scope: SupplierScope, month: string) => `${buildInvoicePartition(scope)}#${month}`;

/** Builds the prefix of the sort keys of the rows of one state or (null) of all invoices. */
export const buildRowPrefix = (state: StateCode | null) => (state ? `S#${state}#` : 'D#');

/** Builds the primary key of the row at a position, in the list of one state or (null) of all invoices. */
export const buildRowKey = (scope: SupplierScope, position: string, state: StateCode | null): Key => ({
  pk: buildRowPartition(scope, toMonth(position)),
  sk: buildRowPrefix(state) + position,
});

/** Parses the position from the sort key of a row. */
export const parseRowPosition = (sortKey: string) => sortKey.replace(/^(?:D#|S#[A-Z]{3}#)/, '');

/** Parses the sort key of a row. `list` is a state, or `all` for the list of all invoices. */
export function parseRowKey(sortKey: string) {
  const position = parseRowPosition(sortKey);
  const [sortDate = ''] = position.split('#');
  const [listKind, state = ''] = sortKey.split('#');
  return { list: listKind === 'D' ? 'all' : state, sortDate, invoiceId: toInvoiceId(position) };
}

/** Builds the primary key of a part (from 0) of the index of a day (yyyy-mm-dd). */
export const buildDayIndexKey = (scope: SupplierScope, day: string, part: number): Key => ({
  pk: buildInvoicePartition(scope),
  sk: `${day}#${part}`,
});

/** Builds the partition of an invoice's declaration history. The sort key is the revision number. */
export const buildDeclarationPartition = (scope: SupplierScope, invoiceId: string) =>
  `${buildInvoicePartition(scope)}#${invoiceId}`;

/** Parses the partition of a declaration history, such as `demo.example#200#9001`. */
export function parseDeclarationPartition(pk: string) {
  const [tenant = '', supplierId = '', invoiceId = ''] = pk.split('#');
  return { scope: { tenant, supplierId }, invoiceId };
}

// Matches the two keys of a state change on two lines, such as `demo.example#200` and `STATE#9001#0000000002`.
const STATE_CHANGE_KEY = /^(?<tenant>[^#]+)#(?<supplierId>[^#]+)\nSTATE#(?<invoiceId>[^#]+)#\d+$/;
// Matches `demo.example#200#9001`, but not the partition of a log, such as `LOG#demo.example#0`.
const DECLARATION_PARTITION = /^(?<tenant>[^#A-Z]+)#(?<supplierId>[^#]+)#(?<invoiceId>[^#]+)$/;

/**
 * Parses the key of a history entry. Returns undefined for another item. `sk` is null for a declaration, whose sort key
 * is a number.
 */
export function parseHistoryKey(pk: string, sk: string | null) {
  const match = sk === null ? DECLARATION_PARTITION.exec(pk) : STATE_CHANGE_KEY.exec(`${pk}\n${sk}`);
  const { tenant, supplierId, invoiceId } = match?.groups ?? {};
  if (tenant === undefined || supplierId === undefined || invoiceId === undefined) return undefined;
  return { history: sk === null ? 'declarations' : 'states', scope: { tenant, supplierId }, invoiceId } as const;
}

const LOG_PREFIX = 'LOG#';

/** Builds the partition of a shard of a declaration log. The sort key is the sequence number, from 1. */
export const buildLogPartition = (tenant: string, shard: number) => `${LOG_PREFIX}${tenant}#${shard}`;

/** Builds the partition that lists the shards in use, except the first. The sort key is the shard. */
export const buildShardListPartition = (tenant: string) => LOG_PREFIX + tenant;

/** Builds the primary key of the epoch of a declaration log, in the table Declarations. */
export const buildEpochKey = (tenant: string): Key<number> => ({ pk: `EPOCH#${tenant}`, sk: 0 });

/** True if a key belongs to a declaration log: to an entry, or to the list of its shards. */
export const isLogKey = ({ pk }: Pick<Key, 'pk'>) => pk.startsWith(LOG_PREFIX);
