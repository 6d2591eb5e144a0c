import type { StateCode } from '../domain/invoice-states.ts';
import type { SupplierScope } from '../domain/invoice.ts';
import { idAt, monthOf } from '../domain/list-entry.ts';
import { LIMITS } from '../domain/limits.ts';
import { hmacSha256 } from '../runtime/ids.ts';
import type { Key } from './dynamodb/reads.ts';

/** The partition of the public signing keys in Directory. */
export const JWKS_PARTITION = 'JWKS';

/** The primary key of the private signing key in use. */
export const SIGNING_KEY: Key = { pk: 'SIGNING_KEY', sk: 'CURRENT' };

/** The number of items that share the day counters of a month, so that parallel writes rarely conflict. */
export const COUNTER_SHARDS = 6;

/** The number of shards of a tenant's log of declarations, so that parallel processes rarely conflict. */
export const LOG_SHARDS = 32;

const VERSION_DIGITS = 10;

const inTenant = (tenant: string, sk: string): Key => ({ pk: `TENANT#${tenant}`, sk });

export const directoryKeys = {
  /** It has its own partition, because every request reads it, and a partition serves 3,000 read units a second. */
  tenant: (tenant: string): Key => ({ pk: `TENANT#${tenant}#TENANT`, sk: 'TENANT' }),
  company: (tenant: string, companyId: string) => inTenant(tenant, `COMPANY#${companyId}`),
  supplier: (tenant: string, supplierId: string) => inTenant(tenant, `SUPPLIER#${supplierId}`),
  user: (tenant: string, userId: string) => inTenant(tenant, `USER#${userId}`),
  login: (tenant: string, loginName: string) => inTenant(tenant, `LOGIN#${loginName.toLowerCase()}`),
  apiKey: (hash: string): Key => ({ pk: `APIKEY#${hash}`, sk: 'APIKEY' }),
  /** A reference to an API key of the tenant, from which its keys are listed. */
  listedApiKey: (tenant: string, hash: string) => inTenant(tenant, `KEY#${hash}`),
  /** A reference to the latest API key of this name, from which a key is found whose text was not kept. */
  apiKeyName: (tenant: string, companyId: string, name: string) => inTenant(tenant, `APIKEYNAME#${companyId}#${name}`),
  /** The credentials of a user, in a partition that the supplier endpoints cannot read. */
  account: (tenant: string, userId: string): Key => ({ pk: `ACCOUNT#${tenant}#${userId}`, sk: 'ACCOUNT' }),
  /** The failures of a login name that does not exist. Only its hash is kept, because it may be a mistyped password. */
  nobody: (tenant: string, loginName: string): Key => ({
    pk: `NOBODY#${hmacSha256(tenant, loginName.toLowerCase())}`,
    sk: 'ACCOUNT',
  }),
  publicKey: (kid: string): Key => ({ pk: JWKS_PARTITION, sk: kid }),
} as const;

/** Builds the partition of a supplier's invoices, their state histories and the day counters. */
export const buildInvoicePartition = ({ tenant, supplierId }: SupplierScope) => `${tenant}#${supplierId}`;

/** True if an invoice can have the id; DynamoDB rejects keys that are too long. */
export const isStorableId = (invoiceId: string) => invoiceId.length <= LIMITS.idDigits;

export const buildInvoiceKey = (scope: SupplierScope, invoiceId: string): Key => ({
  pk: buildInvoicePartition(scope),
  sk: invoiceId,
});

/** The sort keys between which all invoices of a supplier lie: ids are digits, and nothing else in its partition is. */
export const INVOICE_ID_BOUNDS = { first: '0', last: ':' } as const;

/** The prefix of the sort keys of all state histories of a supplier. */
export const STATE_CHANGES = 'STATE#';

/** Builds the prefix of the sort keys of an invoice's state history. */
export const buildStateChangePrefix = (invoiceId: string) => `${STATE_CHANGES}${invoiceId}#`;

/** Builds the primary key of an entry of a state history; `version` is the version of the invoice after the change. */
export const buildStateChangeKey = (scope: SupplierScope, invoiceId: string, version: number): Key => ({
  pk: buildInvoicePartition(scope),
  sk: buildStateChangePrefix(invoiceId) + version.toString().padStart(VERSION_DIGITS, '0'),
});

/** The prefix of the sort keys of all day counters of a supplier. */
export const COUNTERS = 'COUNT#';

/** Builds the sort key of a shard of a month's day counters, such as `COUNT#2026-03#0`. */
export const buildCounterSortKey = (month: string, shard: number) => `${COUNTERS}${month}#${shard}`;

/** Returns the month (yyyy-mm) of a sort key of day counters. */
export const parseCounterMonth = (sortKey: string) => sortKey.split('#')[1] ?? '';

/** Builds the partition of a supplier's rows of one month (yyyy-mm). */
export const buildRowPartition = (scope: SupplierScope, month: string) => `${buildInvoicePartition(scope)}#${month}`;

/** Builds the prefix of the sort keys of the rows of one state or (null) of all invoices. */
export const buildRowPrefix = (state: StateCode | null) => (state ? `S#${state}#` : 'D#');

/** Builds the primary key of the row at a position, in the list of one state or (null) of all invoices. */
export const buildRowKey = (scope: SupplierScope, position: string, state: StateCode | null): Key => ({
  pk: buildRowPartition(scope, monthOf(position)),
  sk: buildRowPrefix(state) + position,
});

export const parseRowPosition = (sortKey: string) =>
  sortKey.slice(buildRowPrefix(sortKey.startsWith('D') ? null : 'PEN').length);

/** Parses the sort key of a row: its list (a state, or `all` invoices), its sort date and its invoice. */
export function parseRowKey(sortKey: string) {
  const position = parseRowPosition(sortKey);
  const [sortDate = ''] = position.split('#', 1);
  const [, state = ''] = sortKey.split('#', 2);
  return { list: sortKey.startsWith('D') ? 'all' : state, sortDate, invoiceId: idAt(position) };
}

/** Builds the primary key of the index of a supplier's day (yyyy-mm-dd). */
export const buildDayIndexKey = (scope: SupplierScope, day: string): Key => ({
  pk: buildInvoicePartition(scope),
  sk: `${day}#0`,
});

/** Builds the partition of an invoice's declaration history; the sort key is the revision. */
export const buildDeclarationPartition = (scope: SupplierScope, invoiceId: string) =>
  `${buildInvoicePartition(scope)}#${invoiceId}`;

const STATE_CHANGE = /^([^#]+)#([^#]+)\nSTATE#([^#]+)#\d+$/;
// A tenant has no upper-case letter, so that neither the partition of a request nor that of a log is one.
const REVISION = /^([^#A-Z]+)#([^#]+)#([^#]+)$/;

/**
 * Finds the history and the invoice of an entry by its key; `sk` is null if the sort key is a number. Returns undefined
 * if the item is not an entry of a history.
 */
export function parseHistoryKey(pk: string, sk: string | null) {
  const [found, tenant, supplierId, invoiceId] =
    (sk === null ? REVISION.exec(pk) : STATE_CHANGE.exec(`${pk}\n${sk}`)) ?? [];
  if (found === undefined || tenant === undefined || supplierId === undefined || invoiceId === undefined)
    return undefined;
  return { history: sk === null ? 'declarations' : 'states', scope: { tenant, supplierId }, invoiceId } as const;
}

const LOG_PREFIX = 'LOG#';

/** Builds the partition of a shard of a tenant's log of declarations; the sort key is the sequence number, from 1. */
export const buildLogPartition = (tenant: string, shard: number) => `${LOG_PREFIX}${tenant}#${shard}`;

/** True if a key belongs to an entry of the log of declarations. */
export const isLogKey = ({ pk }: Pick<Key, 'pk'>) => pk.startsWith(LOG_PREFIX);
