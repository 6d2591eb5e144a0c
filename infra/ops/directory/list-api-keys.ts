import type { IssuedApiKey } from '../../../lib/domain/directory.ts';
import { createDirectoryLists } from '../../../lib/storage/directory-lists.ts';
import { createDirectoryWriter } from '../../../lib/storage/directory-writer.ts';
import { placesIn, readState } from '../../../lib/admin/apply/directory-state.ts';
import type { DataTarget } from '../../../lib/admin/data-target.ts';
import { existing } from './change-directory.ts';

/** The API keys of a tenant, or of one of its companies, by company and name; throws a UsageError when there is no such. */
export async function listApiKeys(
  { client, tables }: DataTarget,
  tenant: string,
  companyId: string | undefined,
): Promise<IssuedApiKey[]> {
  const places = placesIn(tenant);
  const company = companyId === undefined ? [] : [places.company(companyId)];
  const { read } = createDirectoryWriter(client, tables.Directory);
  const state = await readState(read, () => [places.tenant, ...company]);
  existing(state, places.tenant, `tenant ${tenant}`);
  for (const place of company) existing(state, place, `company ${companyId} in ${tenant}`);

  const keys = await createDirectoryLists(client, tables.Directory).apiKeys(tenant);
  return keys
    .filter((key) => companyId === undefined || key.companyId === companyId)
    .toSorted((a, b) => order(a).localeCompare(order(b), 'en', { numeric: true }));
}

function order({ companyId, name, validFrom }: IssuedApiKey): string {
  return [companyId, name, validFrom].join('\n');
}
