import type { DirectoryRecord, ListedKind } from '../../storage/directory/directory-records.ts';
import type { Installation } from '../installation.ts';
import { existing } from './change-directory.ts';
import { placesIn, readState } from './directory-state.ts';

/**
 * What a tenant, or one of its companies, has of a kind, page by page; throws an OperatorError when there is no such
 * tenant or company.
 */
export async function listOf<Kind extends ListedKind>(
  { records }: Pick<Installation, 'records'>,
  kind: Kind,
  tenant: string,
  companyId: string | undefined,
): Promise<AsyncIterable<readonly DirectoryRecord<Kind>[]>> {
  await assertOwner({ records }, tenant, companyId);
  const pages = records.pages(kind, tenant);
  return companyId === undefined ? pages : ofCompany(pages, companyId);
}

/** Throws an OperatorError when there is no such tenant, or no such company in it. */
export async function assertOwner(
  { records }: Pick<Installation, 'records'>,
  tenant: string,
  companyId: string | undefined,
): Promise<void> {
  const places = placesIn(tenant);
  const company = companyId === undefined ? [] : [places.company(companyId)];
  const state = await readState(records.read, () => [places.tenant, ...company]);
  existing(state, places.tenant, `tenant ${tenant}`);
  for (const place of company) existing(state, place, `company ${companyId} in ${tenant}`);
}

async function* ofCompany<Record extends { readonly company_id: string }>(
  pages: AsyncIterable<readonly Record[]>,
  companyId: string,
): AsyncGenerator<readonly Record[]> {
  for await (const page of pages) yield page.filter((record) => record.company_id === companyId);
}
