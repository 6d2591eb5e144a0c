import type { DirectoryRecord, ListedKind } from '../../storage/directory/directory-records.ts';
import { existing } from '../directory/change-directory.ts';
import { placesIn, readState } from '../directory/directory-state.ts';
import type { Installation } from '../installation.ts';
import { listApiKeys } from './list-api-keys.ts';

/** A company, and how many it has of what stops when it is suspended. */
export interface CompanySize {
  readonly company: DirectoryRecord<'company'>;
  readonly suppliers: number;
  readonly users: number;
  readonly apiKeys: number;
}

/** Counts what a company has, page by page; throws an OperatorError when there is no such company. */
export async function companySize(
  installation: Pick<Installation, 'records' | 'lists'>,
  { tenant, companyId }: { readonly tenant: string; readonly companyId: string },
): Promise<CompanySize> {
  const { records } = installation;
  const keys = await listApiKeys(installation, tenant, companyId);
  const place = placesIn(tenant).company(companyId);
  const state = await readState(records.read, () => [place]);
  const count = async (kind: ListedKind) => {
    let counted = 0;
    for await (const page of records.pages(kind, tenant)) {
      counted += page.filter(({ company_id: id }) => id === companyId).length;
    }
    return counted;
  };
  return {
    company: existing(state, place, `company ${companyId} in ${tenant}`),
    suppliers: await count('supplier'),
    users: await count('user'),
    apiKeys: keys.filter(({ revokedAt }) => revokedAt === null).length,
  };
}
