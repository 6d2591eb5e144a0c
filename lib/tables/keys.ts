import { foldLoginName } from '../domain/directory.ts';
import type { RecordedChange } from '../domain/invoice-change.ts';
import type { Invoice, SupplierScope } from '../domain/invoice.ts';
import { LIMITS } from '../domain/limits.ts';
import { buildPosition, type PositionBounds } from '../domain/list-entry.ts';
import { hmacSha256 } from '../runtime/ids.ts';
import type { Key } from './dynamodb/reads.ts';

/** The partition of the public signing keys in Directory. */
export const JWKS_PARTITION = 'JWKS';

/** The primary key of the private signing key in use. */
export const SIGNING_KEY: Key = { pk: 'SIGNING_KEY', sk: 'CURRENT' };

/** Builds the partition of the operator record of a tenant in Directory. The sort key begins with the time. */
export function buildOperatorPartition(tenant: string): string {
  return `OPERATOR#${tenant}`;
}

export const directoryKeys = {
  /** A separate partition, because every request reads its tenant. A partition serves 3,000 read units a second. */
  tenant: (tenant: string): Key => ({ pk: `TENANT#${tenant}#TENANT`, sk: 'TENANT' }),
  company: (tenant: string, companyId: string) => buildTenantKey(tenant, `COMPANY#${companyId}`),
  supplier: (tenant: string, supplierId: string) => buildTenantKey(tenant, `SUPPLIER#${supplierId}`),
  user: (tenant: string, userId: string) => buildTenantKey(tenant, `USER#${userId}`),
  login: (tenant: string, loginName: string) => buildTenantKey(tenant, `LOGIN#${foldLoginName(loginName)}`),
  apiKey: (hash: string): Key => ({ pk: `APIKEY#${hash}`, sk: 'APIKEY' }),
  /** A reference to an API key of the tenant, so that the keys of a tenant can be listed. */
  listedApiKey: (tenant: string, hash: string) => buildTenantKey(tenant, `KEY#${hash}`),
  /** A reference to the latest API key with this name, so that an operator can find a key by its name. */
  apiKeyName: (tenant: string, companyId: string, name: string) =>
    buildTenantKey(tenant, `APIKEYNAME#${companyId}#${name}`),
  /** The credentials of a user, in a partition that the supplier endpoints cannot read. */
  account: (tenant: string, userId: string): Key => ({ pk: `ACCOUNT#${tenant}#${userId}`, sk: 'ACCOUNT' }),
  /** The failures of an unknown login name. The key contains a hash, because the name can be a mistyped password. */
  unknownLogin: (tenant: string, loginName: string): Key => ({
    pk: `NOBODY#${hmacSha256(tenant, foldLoginName(loginName))}`,
    sk: 'ACCOUNT',
  }),
  publicKey: (kid: string): Key => ({ pk: JWKS_PARTITION, sk: kid }),
} as const;

function buildTenantKey(tenant: string, sk: string): Key {
  return { pk: `TENANT#${tenant}`, sk };
}

/** Builds the partition of a supplier's invoices. */
export function buildInvoicePartition({ tenant, supplierId }: SupplierScope): string {
  return `${tenant}#${supplierId}`;
}

/** True if a key can contain the id. DynamoDB rejects a read with a key that is too long. */
export function isStorableId(invoiceId: string): boolean {
  return invoiceId.length <= LIMITS.idDigits;
}

export function buildInvoiceKey(scope: SupplierScope, invoiceId: string): Key {
  return { pk: buildInvoicePartition(scope), sk: invoiceId };
}

/** The local secondary index of the table Invoices. It contains the invoices of a supplier in the order of lists. */
export const LIST_INDEX = 'lists';

const WITHDRAWN_PREFIX = 'WITHDRAWN#';

/** Builds the list position of an invoice. No range of dates contains the position of a withdrawn invoice. */
export function buildListPosition(invoice: Pick<Invoice, 'sortDate' | 'invoiceId' | 'isWithdrawn'>): string {
  return (invoice.isWithdrawn ? WITHDRAWN_PREFIX : '') + buildPosition(invoice);
}

/** True if a list position is that of a withdrawn invoice. */
export function isWithdrawnPosition(position: string): boolean {
  return position.startsWith(WITHDRAWN_PREFIX);
}

/** The bounds of the list positions of all withdrawn invoices. */
export const WITHDRAWN_BOUNDS: PositionBounds = { first: WITHDRAWN_PREFIX, last: `${WITHDRAWN_PREFIX}~` };

/** The global secondary index of the table Declarations. It contains the changes of a tenant in the order of time. */
export const CHANGE_INDEX = 'changes';

/** The number of partitions of a day in the index of changes. A partition accepts 1,000 write units a second. */
export const DAY_PARTITIONS = 4;

/** Builds the partition of the history of an invoice. The sort key is the version that a change created. */
export function buildHistoryPartition(scope: SupplierScope, invoiceId: string): string {
  return `${buildInvoicePartition(scope)}#${invoiceId}`;
}

/** Parses the partition of a history, such as `demo.example#200#9001`. */
export function parseHistoryPartition(pk: string) {
  const [tenant = '', supplierId = '', invoiceId = ''] = pk.split('#');
  return { scope: { tenant, supplierId }, invoiceId };
}

/** Builds a partition of a day (`2026-08-31`) in the index of changes: `demo.example#2026-08-31#1`. */
export function buildDayPartition(tenant: string, day: string, partition: number): string {
  return `${tenant}#${day}#${partition}`;
}

type ChangeIdentity = Pick<RecordedChange, 'scope' | 'invoiceId' | 'changedAt' | 'version'>;

/** Builds the sort key of a change in the index of changes: `2026-08-31T10:30:00.000Z#200#9001#3`. */
export function buildChangeKey({ scope, invoiceId, changedAt, version }: ChangeIdentity): string {
  return `${changedAt}#${scope.supplierId}#${invoiceId}#${version}`;
}

/** Builds the attributes of a change that are its key in the index. One partition contains an invoice's changes of a day. */
export function buildChangeIndexKey(change: ChangeIdentity) {
  const { scope, invoiceId, changedAt } = change;
  const day = changedAt.slice(0, '2026-08-31'.length);
  const partition = Number(invoiceId.slice(-2)) % DAY_PARTITIONS;
  return { change_day: buildDayPartition(scope.tenant, day, partition), change_key: buildChangeKey(change) };
}
