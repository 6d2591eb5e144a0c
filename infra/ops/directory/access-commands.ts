import { systemClock } from '../../../lib/runtime/clock.ts';
import { defineCommand, dryRunOption, runCommand, type Session, yesOption } from '../command.ts';
import { keysIn } from '../tables/directory-records.ts';
import { changeDirectory, DirectorySnapshot } from './change-directory.ts';
import type { ChangeResult } from './change-result.ts';
import { type ChangedUser, planUserRecords } from './plan-user.ts';
import { printResult } from './print-result.ts';
import { getUser, type UserAndAccount } from './read-directory.ts';

/** Changes the access of a company or a user. `name` is the second argument of the command. */
type ChangeAccess = (session: Session, tenant: string, name: string) => Promise<ChangeResult>;

const COMPANY = { argument: '<company>', description: 'the id of the company', example: '100' };
const USER = {
  argument: '<user>',
  description: 'the id (only digits), e-mail or username of the user',
  example: 'ana',
};

export const accessCommands = [
  defineAccessCommand('suspend-company', COMPANY, suspendCompany, {
    summary: 'Suspend a company: its users and API keys are rejected from the next request on.',
  }).addOption(yesOption),
  defineAccessCommand('resume-company', COMPANY, resumeCompany, { summary: 'End the suspension of a company.' }),
  defineAccessCommand('activate-user', USER, activateUser, {
    summary: 'Reactivate a user. A user without a license, or whose access has expired, still cannot log in.',
  }),
  defineAccessCommand('deactivate-user', USER, deactivateUser, {
    summary: 'Deactivate a user: logins and existing tokens are rejected from the next request on.',
  }),
  defineAccessCommand('end-sessions', USER, endSessions, {
    summary: 'End the sessions of a user: existing tokens are rejected from the next request on; new logins work.',
  }),
  defineAccessCommand('unlock-user', USER, unlockUser, {
    summary: 'Clear the failed logins of a user, so that the user can log in from every address.',
  }),
];

function defineAccessCommand(
  commandName: string,
  subject: typeof COMPANY,
  change: ChangeAccess,
  { summary }: { summary: string },
) {
  return defineCommand(commandName, { summary, example: `${commandName} demo.example ${subject.example} --local` })
    .argument('<tenant>', 'the tenant')
    .argument(subject.argument, subject.description)
    .addOption(dryRunOption)
    .action((tenant, name, options) =>
      runCommand(options, async (session) => printResult(session, await change(session, tenant, name))),
    );
}

/** Suspends a company. Records the time, so that `apply` does not end the suspension. */
async function suspendCompany({ ports, confirm }: Session, tenant: string, companyId: string): Promise<ChangeResult> {
  const key = keysIn(tenant).company(companyId);
  await confirm(async () => {
    const company = await new DirectorySnapshot(ports.records).getExisting(key);
    if (company.stopped_at !== undefined) return null;
    const effect = 'The access of its users, suppliers and API keys ends immediately.';
    return `Suspend company ${companyId} (${company.name}) of ${tenant}? ${effect}`;
  });
  return changeDirectory(ports.records, async (directory) => {
    const company = await directory.getExisting(key);
    const stoppedAt = company.stopped_at ?? systemClock.now().toISOString();
    const entity = await directory.planChange(key, { ...company, status: 'SUSPENDED', stopped_at: stoppedAt });
    return { entity, relatedChanges: [] };
  });
}

function resumeCompany({ ports }: Session, tenant: string, companyId: string): Promise<ChangeResult> {
  const key = keysIn(tenant).company(companyId);
  return changeDirectory(ports.records, async (directory) => {
    const company = await directory.getExisting(key);
    const entity = await directory.planChange(key, { ...company, status: 'ACTIVE', stopped_at: undefined });
    return { entity, relatedChanges: [] };
  });
}

function activateUser(session: Session, tenant: string, name: string): Promise<ChangeResult> {
  return changeUser(session, tenant, name, ({ user, account }) => {
    return { user: { ...user, active: true, stopped_at: undefined }, account, endsSessions: false };
  });
}

/** Deactivates a user. Records the time, so that `apply` does not activate the user again. */
function deactivateUser(session: Session, tenant: string, name: string): Promise<ChangeResult> {
  return changeUser(session, tenant, name, ({ user, account }) => {
    const stoppedAt = user.stopped_at ?? systemClock.now().toISOString();
    const endsSessions = user.stopped_at === undefined;
    return { user: { ...user, active: false, stopped_at: stoppedAt }, account, endsSessions };
  });
}

function endSessions(session: Session, tenant: string, name: string): Promise<ChangeResult> {
  return changeUser(session, tenant, name, (stored) => ({ ...stored, endsSessions: true }));
}

function changeUser(
  { ports }: Session,
  tenant: string,
  name: string,
  change: (stored: UserAndAccount) => ChangedUser,
): Promise<ChangeResult> {
  return changeDirectory(ports.records, async (directory) => {
    const stored = await getUser(directory, tenant, name);
    return planUserRecords(directory, tenant, change(stored));
  });
}

async function unlockUser({ ports }: Session, tenant: string, name: string): Promise<ChangeResult> {
  const { user } = await getUser(new DirectorySnapshot(ports.records), tenant, name);
  const { user_id, email } = user;
  const failures = await ports.accountLocks.countFailures(tenant, user_id);
  const subject = { kind: 'user', tenant, user_id, email } as const;
  if (failures === 0) return { ...subject, outcome: 'left', changes: [] };
  await ports.accountLocks.clearFailures(tenant, user_id);
  return { ...subject, outcome: 'changed', changes: [{ property: 'failures', before: failures, after: 0 }] };
}
