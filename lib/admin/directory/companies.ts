import type { Company } from '../../domain/directory.ts';
import type { AdminPorts } from '../../composition/admin-ports.ts';
import { keysIn } from '../../domain/record-keys.ts';
import { changeDirectory, type ChangeResult } from './change-directory.ts';
import { listApiKeys, listRecords } from './lists.ts';
import { DirectorySnapshot } from './snapshot.ts';
import { markSuspended } from './suspensions.ts';

/** A reference to a company of a tenant. */
export interface CompanyRef {
  readonly tenant: string;
  readonly companyId: string;
}

/** Reads a company, and counts its suppliers, users and API keys; throws an OperatorError if it does not exist. */
export async function readCompanySize(ports: Pick<AdminPorts, 'records'>, { tenant, companyId }: CompanyRef) {
  const company = await new DirectorySnapshot(ports.records).getExisting(keysIn(tenant).company(companyId));
  const keys = await listApiKeys(ports, tenant, companyId);
  const count = async (kind: 'supplier' | 'user') => {
    let counted = 0;
    for await (const page of listRecords(ports, kind, tenant, companyId)) counted += page.length;
    return counted;
  };
  return {
    company,
    suppliers: await count('supplier'),
    users: await count('user'),
    apiKeys: keys.filter(({ revoked_at }) => revoked_at === undefined).length,
  };
}

/** Sets the status of a company. A suspension is marked, so that `apply` does not end it. */
export function setCompanyStatus(
  { records }: Pick<AdminPorts, 'records'>,
  { tenant, companyId }: CompanyRef,
  status: Company['status'],
): Promise<ChangeResult> {
  const key = keysIn(tenant).company(companyId);
  return changeDirectory(records, async (directory) => {
    const company = await directory.getExisting(key);
    const stoppedAt = markSuspended(status === 'SUSPENDED', company.stopped_at);
    return { record: await directory.planChange(key, { ...company, status, stopped_at: stoppedAt }) };
  });
}
