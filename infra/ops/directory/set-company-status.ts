import type { Company } from '../../../lib/domain/directory.ts';
import { placesIn } from '../../../lib/admin/apply/directory-state.ts';
import { planRecords } from '../../../lib/admin/apply/plan.ts';
import { markStop } from '../../../lib/admin/apply/stopped-by-command.ts';
import type { ExitCode, Session } from '../command.ts';
import { changeDirectory, existing } from './change-directory.ts';

/** Sets the status of a company; a suspension is marked as a command's, so that no file ends it. */
export function setCompanyStatus(
  session: Session,
  tenant: string,
  companyId: string,
  status: Company['status'],
): Promise<ExitCode> {
  const place = placesIn(tenant).company(companyId);
  return changeDirectory(session, {
    tenant,
    needs: () => [place],
    already: status === 'SUSPENDED' ? 'It is suspended already.' : 'It is not suspended.',
    async plan(state) {
      const { stopped_at: since, ...company } = existing(state, place, `company ${companyId} in ${tenant}`);
      const subject = { kind: 'company', tenant, company_id: companyId } as const;
      const after = { ...company, status, ...markStop(status === 'SUSPENDED', since) };
      return { subject, ...planRecords(state.changeTo(place, after)) };
    },
  });
}
