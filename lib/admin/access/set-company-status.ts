import type { Company } from '../../domain/directory.ts';
import { changeDirectory, existing } from '../directory/change-directory.ts';
import { placesIn } from '../directory/directory-state.ts';
import { planRecords } from '../directory/plan.ts';
import type { EntryResult } from '../directory/entry-result.ts';
import { markStop } from '../directory/stopped-by-command.ts';
import type { Installation } from '../installation.ts';

/** Sets the status of a company; a suspension is marked as a command's, so that no file ends it. */
export function setCompanyStatus(
  { records }: Pick<Installation, 'records'>,
  { tenant, companyId }: { readonly tenant: string; readonly companyId: string },
  status: Company['status'],
): Promise<EntryResult> {
  const place = placesIn(tenant).company(companyId);
  return changeDirectory(records, {
    tenant,
    needs: () => [place],
    async plan(state) {
      const { stopped_at: since, ...company } = existing(state, place, `company ${companyId} in ${tenant}`);
      const subject = { kind: 'company', tenant, company_id: companyId } as const;
      const after = { ...company, status, ...markStop(status === 'SUSPENDED', since) };
      return { subject, ...planRecords(state.changeTo(place, after)) };
    },
  });
}
