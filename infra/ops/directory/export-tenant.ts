import type { AdminPorts } from '../../../lib/composition/admin-ports.ts';
import type { DirectoryRecord } from '../../../lib/domain/directory-fields.ts';
import { keysIn } from '../../../lib/domain/record-keys.ts';
import { collectPages } from '../../../lib/runtime/pages.ts';
import { LISTS } from './entry-schemas.ts';
import { toFileValue } from './entry-values.ts';
import { listApiKeys, type ListedApiKey } from './read-directory.ts';
import { DirectorySnapshot } from './snapshot.ts';

/**
 * Returns a tenant in the format of a file of `apply`, without passwords and keys; `leftOut` is the number of keys that
 * a file cannot identify: revoked keys, and keys whose name a later key has. Throws an OperatorError if the tenant does
 * not exist.
 */
export async function exportTenant({ records }: Pick<AdminPorts, 'records'>, tenant: string) {
  const directory = new DirectorySnapshot(records);
  const record = await directory.getExisting(keysIn(tenant).tenant);
  const keys = await listApiKeys({ records }, tenant);
  const exportedKeys = await findNameableKeys(directory, tenant, keys);
  const entry: Record<string, unknown> = toFileValue('tenant', record);
  for (const [list, kind] of Object.entries(LISTS)) {
    const exported = kind === 'api_key' ? exportedKeys : await collectPages(records.pages(kind, tenant));
    const values = exported.map((each) => toFileValue(kind, each as DirectoryRecord<typeof kind>));
    if (values.length > 0) entry[list] = values;
  }
  return { entry, leftOut: keys.length - exportedKeys.length };
}

/** Finds the keys that their company and name identify in a file, sorted by company and name. */
async function findNameableKeys(directory: DirectorySnapshot, tenant: string, keys: readonly ListedApiKey[]) {
  const unrevoked = keys.filter(({ revoked_at }) => revoked_at === undefined);
  const pointers = await Promise.all(
    unrevoked.map(({ company_id, name }) => directory.get(keysIn(tenant).apiKeyName(company_id, name))),
  );
  const order = ({ company_id, name }: ListedApiKey) => `${company_id}\n${name}`;
  return unrevoked
    .filter((key, index) => pointers[index]?.key_hash === key.key_hash)
    .toSorted((a, b) => (order(a) < order(b) ? -1 : 1));
}
