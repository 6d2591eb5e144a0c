import type { FileValue } from '../../domain/directory-fields.ts';
import type { AdminPorts } from '../../composition/admin-ports.ts';
import { keysIn } from '../../domain/record-keys.ts';
import { LISTS } from './entry-schemas.ts';
import { toFileValue } from './entry-values.ts';
import { listApiKeys, type ListedApiKey } from './lists.ts';
import { DirectorySnapshot } from './snapshot.ts';

type Ports = Pick<AdminPorts, 'records'>;

/** A tenant in the format of a file of `apply`, without passwords and keys. */
export interface ExportedTenant {
  readonly tenant: FileValue<'tenant'>;
  /** The lists in the order of a file, each page by page. */
  readonly lists: AsyncIterable<{ readonly list: string; readonly entries: readonly object[] }>;
  /** The keys that a file cannot identify: revoked keys, and keys whose name a later key has. */
  readonly leftOut: readonly ListedApiKey[];
}

/** Reads the data of a tenant that `apply` can create again; throws an OperatorError if it does not exist. */
export async function exportTenant(ports: Ports, tenant: string): Promise<ExportedTenant> {
  const directory = new DirectorySnapshot(ports.records);
  const record = await directory.getExisting(keysIn(tenant).tenant);
  const keys = await listApiKeys(ports, tenant);
  const nameable = await findNameableKeys(ports, tenant, keys);
  return {
    tenant: toFileValue('tenant', record),
    lists: exportLists(ports, tenant, nameable),
    leftOut: keys.filter((key) => !nameable.includes(key)),
  };
}

async function* exportLists({ records }: Ports, tenant: string, keys: readonly ListedApiKey[]) {
  for (const [list, kind] of Object.entries(LISTS)) {
    if (kind === 'api_key') {
      yield { list, entries: keys.map((key) => toFileValue(kind, key)) };
    } else {
      for await (const page of records.pages(kind, tenant)) {
        yield { list, entries: page.map((record) => toFileValue(kind, record)) };
      }
    }
  }
}

/** Finds the keys that their company and name identify in a file, sorted by company and name. */
async function findNameableKeys({ records }: Ports, tenant: string, keys: readonly ListedApiKey[]) {
  const unrevoked = keys.filter(({ revoked_at }) => revoked_at === undefined);
  const directory = new DirectorySnapshot(records);
  const pointers = await Promise.all(
    unrevoked.map(({ company_id, name }) => directory.get(keysIn(tenant).apiKeyName(company_id, name))),
  );
  const order = ({ company_id, name }: ListedApiKey) => `${company_id}\n${name}`;
  return unrevoked
    .filter((key, index) => pointers[index]?.key_hash === key.key_hash)
    .toSorted((a, b) => (order(a) < order(b) ? -1 : 1));
}
