import type { IssuedApiKey } from '../../domain/directory.ts';
import type { EntryValues } from '../apply/directory-schemas.ts';
import { listApiKeys } from '../directory/lists.ts';
import { keysIn } from '../ports/directory-records.ts';
import { DirectorySnapshot } from '../directory/snapshot.ts';
import type { AdminPorts } from '../ports/admin-ports.ts';
import { apiKeyValue, companyValue, supplierValue, tenantValue, userValue } from './file-values.ts';

type Ports = Pick<AdminPorts, 'records'>;

/** A tenant as a file of `apply` says it, without passwords and keys. */
export interface ExportedTenant {
  readonly tenant: EntryValues['tenant'];
  /** Its lists in the order of a file, each page by page. */
  readonly lists: AsyncIterable<{ readonly list: string; readonly entries: readonly object[] }>;
  /** The keys that no file can name: those that are revoked, and those whose name a later key has. */
  readonly leftOut: readonly IssuedApiKey[];
}

/** Reads what `apply` would make again; throws an OperatorError when there is no such tenant. */
export async function exportTenant(ports: Ports, tenant: string): Promise<ExportedTenant> {
  const directory = new DirectorySnapshot(ports.records.read);
  const record = await directory.existing(keysIn(tenant).tenant, `tenant ${tenant}`);
  const keys = await listApiKeys(ports, tenant);
  const nameable = await nameableKeys(ports, tenant, keys);
  return {
    tenant: tenantValue(record),
    lists: listsOf(ports, tenant, nameable),
    leftOut: keys.filter((key) => !nameable.includes(key)),
  };
}

async function* listsOf({ records }: Ports, tenant: string, keys: readonly IssuedApiKey[]) {
  for await (const page of records.pages('company', tenant))
    yield { list: 'companies', entries: page.map(companyValue) };
  for await (const page of records.pages('supplier', tenant)) {
    yield { list: 'suppliers', entries: page.map(supplierValue) };
  }
  for await (const page of records.pages('user', tenant)) yield { list: 'users', entries: page.map(userValue) };
  yield { list: 'api_keys', entries: keys.map(apiKeyValue) };
}

/** The keys that a file means by company and name alone, by these. */
async function nameableKeys({ records }: Ports, tenant: string, keys: readonly IssuedApiKey[]) {
  const unrevoked = keys.filter(({ revokedAt }) => revokedAt === null);
  const directory = new DirectorySnapshot(records.read);
  const pointers = await Promise.all(
    unrevoked.map(({ companyId, name }) => directory.get(keysIn(tenant).apiKeyName(companyId, name))),
  );
  return unrevoked
    .filter((key, index) => pointers[index]?.key_hash === key.hash)
    .toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

function nameOf({ companyId, name }: IssuedApiKey): string {
  return `${companyId}\n${name}`;
}
