import type { DirectoryRecord } from '../../domain/directory-fields.ts';
import { itemsOf } from '../../runtime/pages.ts';
import type { AdminPorts } from '../../composition/admin-ports.ts';
import { keysIn } from '../../domain/record-keys.ts';
import type { DirectoryRecords, ListedKind } from '../../storage/directory/directory-records.ts';
import type { Attributes } from '../../storage/items/stored-fields.ts';
import { DirectorySnapshot } from './snapshot.ts';

/** An API key, with the hash that identifies it. */
export type ListedApiKey = DirectoryRecord<'api_key'> & { readonly key_hash: string };

/** Reads the names of all tenants; this scans the whole table Directory. */
export async function readTenantNames({ records }: Pick<AdminPorts, 'records'>): Promise<string[]> {
  return (await itemsOf(records.tenants())).map(({ tenant }) => tenant);
}

/**
 * Lists the records of one kind of a tenant or a company, page by page; throws an OperatorError if the tenant or the
 * company does not exist.
 */
export async function* listRecords<Kind extends Exclude<ListedKind, 'listedApiKey'>>(
  { records }: Pick<AdminPorts, 'records'>,
  kind: Kind,
  tenant: string,
  companyId?: string,
): AsyncGenerator<readonly DirectoryRecord<Kind>[]> {
  await requireOwner(records, tenant, companyId);
  const isListed = (record: Attributes) => companyId === undefined || record['company_id'] === companyId;
  for await (const page of records.pages(kind, tenant)) yield page.filter(isListed);
}

/** Lists the API keys of a tenant or a company, by company and name; throws an OperatorError if it does not exist. */
export async function listApiKeys(
  { records }: Pick<AdminPorts, 'records'>,
  tenant: string,
  companyId?: string,
): Promise<ListedApiKey[]> {
  await requireOwner(records, tenant, companyId);
  const hashes = (await itemsOf(records.pages('listedApiKey', tenant))).map(({ key_hash: hash }) => hash);
  const stored = await records.read(hashes.map((hash) => keysIn(tenant).apiKey(hash)));
  const keys = hashes.flatMap((hash, index) => (stored[index] ? [{ ...stored[index], key_hash: hash }] : []));
  const order = ({ company_id: id, name, valid_from: from }: ListedApiKey) => [id, name, from].join('\n');
  return keys
    .filter(({ company_id: id }) => companyId === undefined || id === companyId)
    .toSorted((a, b) => order(a).localeCompare(order(b), 'en', { numeric: true }));
}

/** Returns ACTIVE, or the first reason why a user cannot log in. */
export function getUserStatus(
  { active, license_active: isLicensed, expires_at: expiresAt }: DirectoryRecord<'user'>,
  now: Date,
): 'ACTIVE' | 'INACTIVE' | 'NO_LICENSE' | 'EXPIRED' {
  if (!active) return 'INACTIVE';
  if (!isLicensed) return 'NO_LICENSE';
  return expiresAt !== undefined && Date.parse(expiresAt) <= now.getTime() ? 'EXPIRED' : 'ACTIVE';
}

/** Returns the status of a key: REVOKED, or EXPIRED if it is active and its validity has ended. */
export function getApiKeyStatus(
  { status, valid_until: validUntil, revoked_at: revokedAt }: DirectoryRecord<'api_key'>,
  now: Date,
): DirectoryRecord<'api_key'>['status'] | 'REVOKED' | 'EXPIRED' {
  if (revokedAt !== undefined) return 'REVOKED';
  return status === 'ACTIVE' && Date.parse(validUntil) < now.getTime() ? 'EXPIRED' : status;
}

async function requireOwner(records: DirectoryRecords, tenant: string, companyId: string | undefined): Promise<void> {
  const keys = keysIn(tenant);
  const directory = new DirectorySnapshot(records);
  await directory.getExisting(companyId === undefined ? keys.tenant : keys.company(companyId));
}
