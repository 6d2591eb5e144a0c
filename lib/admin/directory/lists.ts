import type { IssuedApiKey } from '../../domain/directory.ts';
import { itemsOf } from '../../runtime/pages.ts';
import type { AdminPorts } from '../ports/admin-ports.ts';
import { type DirectoryRecord, type DirectoryRecords, keysIn, type ListedKind } from '../ports/directory-records.ts';
import { DirectorySnapshot } from './snapshot.ts';

/** The names of all tenants; this reads all of Directory. */
export async function tenantNames({ records }: Pick<AdminPorts, 'records'>): Promise<string[]> {
  return (await itemsOf(records.tenants())).map(({ tenant }) => tenant);
}

/**
 * What a tenant, or one of its companies, has of a kind, page by page; throws an OperatorError when there is no such
 * tenant or company.
 */
export async function* listOf<Kind extends Exclude<ListedKind, 'listedApiKey'>>(
  { records }: Pick<AdminPorts, 'records'>,
  kind: Kind,
  tenant: string,
  companyId?: string,
): AsyncGenerator<readonly DirectoryRecord<Kind>[]> {
  await readOwner(records, tenant, companyId);
  const isListed = ({ company_id }: { readonly company_id: string }) => company_id === (companyId ?? company_id);
  for await (const page of records.pages(kind, tenant)) yield page.filter(isListed);
}

/** The API keys of a tenant, or of one of its companies, by company and name; throws as listOf does. */
export async function listApiKeys(
  { records }: Pick<AdminPorts, 'records'>,
  tenant: string,
  companyId?: string,
): Promise<IssuedApiKey[]> {
  await readOwner(records, tenant, companyId);
  const hashes = (await itemsOf(records.pages('listedApiKey', tenant))).map(({ key_hash: hash }) => hash);
  const stored = await records.read(hashes.map((hash) => keysIn(tenant).apiKey(hash)));
  const keys = hashes.flatMap((hash, index) => (stored[index] ? [issuedKey(hash, stored[index])] : []));
  const order = ({ companyId: id, name, validFrom }: IssuedApiKey) => [id, name, validFrom].join('\n');
  return keys
    .filter((key) => companyId === undefined || key.companyId === companyId)
    .toSorted((a, b) => order(a).localeCompare(order(b), 'en', { numeric: true }));
}

/** Whether a user is let in, by its own record, and else the first reason why not. */
export function userStatus(
  { active, license_active: isLicensed, expires_at: expiresAt }: DirectoryRecord<'user'>,
  now: Date,
): 'ACTIVE' | 'INACTIVE' | 'NO_LICENSE' | 'EXPIRED' {
  if (!active) return 'INACTIVE';
  if (!isLicensed) return 'NO_LICENSE';
  return expiresAt !== undefined && Date.parse(expiresAt) <= now.getTime() ? 'EXPIRED' : 'ACTIVE';
}

/** The status of a key: also whether it was revoked, or is active and past its end. */
export function apiKeyStatus(
  { status, validUntil, revokedAt }: IssuedApiKey,
  now: Date,
): IssuedApiKey['status'] | 'REVOKED' | 'EXPIRED' {
  if (revokedAt !== null) return 'REVOKED';
  return status === 'ACTIVE' && Date.parse(validUntil) < now.getTime() ? 'EXPIRED' : status;
}

function issuedKey(hash: string, record: DirectoryRecord<'apiKey'>): IssuedApiKey {
  const { company_id, valid_from, valid_until, revoked_at, ...same } = record;
  const times = { validFrom: valid_from, validUntil: valid_until, revokedAt: revoked_at ?? null };
  return { ...same, ...times, hash, companyId: company_id };
}

async function readOwner({ read }: DirectoryRecords, tenant: string, companyId: string | undefined): Promise<void> {
  const keys = keysIn(tenant);
  const directory = new DirectorySnapshot(read);
  await directory.existing(keys.tenant, `tenant ${tenant}`);
  if (companyId !== undefined) await directory.existing(keys.company(companyId), `company ${companyId} in ${tenant}`);
}
