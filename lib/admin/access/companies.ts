import type { Company } from '../../domain/directory.ts';
import { changeDirectory, type ChangeResult } from '../directory/change.ts';
import { listApiKeys, listOf } from '../directory/lists.ts';
import { keysIn } from '../ports/directory-records.ts';
import { DirectorySnapshot } from '../directory/snapshot.ts';
import { markStop } from '../directory/stops.ts';
import type { AdminPorts } from '../ports/admin-ports.ts';

/** Which company. */
export interface CompanyName {
  readonly tenant: string;
  readonly companyId: string;
}

/** A company, and how many it has of what stops when it is suspended; throws an OperatorError when there is none. */
export async function companySize(ports: Pick<AdminPorts, 'records'>, { tenant, companyId }: CompanyName) {
  const company = await findCompany(new DirectorySnapshot(ports.records.read), { tenant, companyId });
  const keys = await listApiKeys(ports, tenant, companyId);
  const count = async (kind: 'supplier' | 'user') => {
    let counted = 0;
    for await (const page of listOf(ports, kind, tenant, companyId)) counted += page.length;
    return counted;
  };
  return {
    company,
    suppliers: await count('supplier'),
    users: await count('user'),
    apiKeys: keys.filter(({ revokedAt }) => revokedAt === null).length,
  };
}

/** Sets the status of a company; a suspension is marked as a command's, so that no file ends it. */
export function setCompanyStatus(
  { records }: Pick<AdminPorts, 'records'>,
  { tenant, companyId }: CompanyName,
  status: Company['status'],
): Promise<ChangeResult> {
  return changeDirectory(records, async (directory) => {
    const { stopped_at: since, ...company } = await findCompany(directory, { tenant, companyId });
    const after = { ...company, status, ...markStop(status === 'SUSPENDED', since) };
    const record = await directory.changeTo(keysIn(tenant).company(companyId), after);
    return { subject: { kind: 'company', tenant, company_id: companyId }, record };
  });
}

async function findCompany(directory: DirectorySnapshot, { tenant, companyId }: CompanyName) {
  const keys = keysIn(tenant);
  await directory.existing(keys.tenant, `tenant ${tenant}`);
  return directory.existing(keys.company(companyId), `company ${companyId} in ${tenant}`);
}
