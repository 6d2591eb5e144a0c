import { planUserRecords } from '../../../lib/admin/apply/plan-user-records.ts';
import { markStop } from '../../../lib/admin/apply/stopped-by-command.ts';
import type { ExitCode, Session } from '../command.ts';
import { changeDirectory } from './change-directory.ts';
import { findUser, placesOfUserNamed } from './find-user.ts';

/** Activates or deactivates the user of an id, e-mail or username; a deactivation is marked as a command's, so that no file ends it, and ends all sessions. */
export function setUserActive(session: Session, tenant: string, user: string, active: boolean): Promise<ExitCode> {
  return changeDirectory(session, {
    tenant,
    needs: (known) => placesOfUserNamed(tenant, user, known),
    already: active ? 'The user is active already.' : 'The user is deactivated already.',
    async plan(state) {
      const { place, user: record, account, subject } = findUser(tenant, user, state);
      const { stopped_at: since, ...stored } = record;
      const after = { ...stored, active, ...markStop(!active, since) };
      const endsSessions = !active && state.changeTo(place, after).after !== undefined;
      return { subject, ...planUserRecords(state, tenant, { user: after, account, endsSessions }) };
    },
  });
}
