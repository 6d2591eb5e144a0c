import type { FileValue } from '../../../lib/domain/directory-fields.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { defineCommand, dryRunOption, runCommand, type Session, yesOption } from '../command.ts';
import { EXIT } from '../operator-errors.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';
import { keysIn } from '../tables/directory-records.ts';
import { changeDirectory } from './change-directory.ts';
import type { ChangeResult } from './change-result.ts';
import { DirectorySnapshot } from './directory-snapshot.ts';
import { getUser, type UserAndAccount } from './get-user.ts';
import { toFileEntry } from './entry-fields.ts';
import { planEntry } from './plan-entry.ts';
import { type ChangedUser, planUser } from './plan-user.ts';
import { printResult } from './print-result.ts';
import { readPassword } from './read-password.ts';

interface AccessCommand {
  readonly summary: string;
  /** The second argument of the command. */
  readonly target: typeof COMPANY | typeof USER;
  /** Changes the target with a name. Returns null if the operator cancels the input. */
  readonly change: (session: Session, tenant: string, name: string) => Promise<ChangeResult | null>;
  /** Returns the question that is asked before the change, or null if there is nothing to change. */
  readonly makeQuestion?: (ports: AdminPorts, tenant: string, name: string) => Promise<string | null>;
}

// The examples are in the demo data.
const COMPANY = { argument: '<company>', description: 'the id of the company', example: '100' };
const USER = {
  argument: '<user>',
  description: 'the id (only digits), e-mail or username of the user',
  example: 'ana',
};

const ACCESS_COMMANDS: Readonly<Record<string, AccessCommand>> = {
  'suspend-company': {
    summary: 'Suspend a company: its users and API keys are rejected from the next request on.',
    target: COMPANY,
    makeQuestion: askSuspension,
    change: ({ ports }, tenant, id) => setCompanyStatus(ports, tenant, id, 'SUSPENDED'),
  },
  'resume-company': {
    summary: 'End the suspension of a company.',
    target: COMPANY,
    change: ({ ports }, tenant, id) => setCompanyStatus(ports, tenant, id, 'ACTIVE'),
  },
  'activate-user': {
    summary: 'Reactivate a user. A user without a license, or whose access has expired, still cannot log in.',
    target: USER,
    change: ({ ports }, tenant, name) => setUserActive(ports, tenant, name, true),
  },
  'deactivate-user': {
    summary: 'Deactivate a user: logins and existing tokens are rejected from the next request on.',
    target: USER,
    change: ({ ports }, tenant, name) => setUserActive(ports, tenant, name, false),
  },
  'end-sessions': {
    summary: 'End the sessions of a user: existing tokens are rejected from the next request on; new logins work.',
    target: USER,
    change: ({ ports }, tenant, name) =>
      changeUser(ports, tenant, name, (stored) => ({ ...stored, endsSessions: true })),
  },
  'unlock-user': {
    summary: 'Clear the failed logins of a user, so that the user can log in from every address.',
    target: USER,
    change: unlockUser,
  },
  'set-password': {
    summary: 'Set the password of a user, from a prompt or from the first line of standard input.',
    target: USER,
    change: setPassword,
  },
};

export const accessCommands = Object.entries(ACCESS_COMMANDS).map(([commandName, accessCommand]) => {
  const { summary, target, makeQuestion, change } = accessCommand;
  const example = `${commandName} demo.example ${target.example} --local`;
  const command = defineCommand(commandName, { summary, example })
    .argument('<tenant>', 'the tenant')
    .argument(target.argument, target.description)
    .addOption(dryRunOption);
  if (makeQuestion) command.addOption(yesOption);
  return command.action((tenant, name, options) =>
    runCommand(options, async (session) => {
      if (makeQuestion) await session.confirm(() => makeQuestion(session.ports, tenant, name));
      const result = await change(session, tenant, name);
      return result ? printResult(session, result) : EXIT.interrupted;
    }),
  );
});

async function askSuspension(ports: AdminPorts, tenant: string, companyId: string): Promise<string | null> {
  const company = await new DirectorySnapshot(ports.records).getExisting(keysIn(tenant).company(companyId));
  if (company.stopped_at !== undefined) return null;
  const effect = 'The access of its users, suppliers and API keys ends immediately.';
  return `Suspend company ${companyId} (${company.name}) of ${tenant}? ${effect}`;
}

/** Records the time of a suspension, so that `apply` does not end it. */
function setCompanyStatus({ records }: AdminPorts, tenant: string, companyId: string, status: 'ACTIVE' | 'SUSPENDED') {
  const key = keysIn(tenant).company(companyId);
  return changeDirectory(records, async (directory) => {
    const company = await directory.getExisting(key);
    const stoppedAt = status === 'ACTIVE' ? undefined : (company.stopped_at ?? systemClock.now().toISOString());
    const entity = await directory.planChange(key, { ...company, status, stopped_at: stoppedAt });
    return { entity, relatedChanges: [] };
  });
}

/** Records the time of a deactivation, so that `apply` does not end it. */
function setUserActive(ports: AdminPorts, tenant: string, name: string, active: boolean): Promise<ChangeResult> {
  return changeUser(ports, tenant, name, ({ user, account }) => {
    const stoppedAt = active ? undefined : (user.stopped_at ?? systemClock.now().toISOString());
    const endsSessions = !active && user.stopped_at === undefined;
    return { user: { ...user, active, stopped_at: stoppedAt }, account, endsSessions };
  });
}

function changeUser(
  { records }: AdminPorts,
  tenant: string,
  name: string,
  change: (stored: UserAndAccount) => ChangedUser,
): Promise<ChangeResult> {
  return changeDirectory(records, async (directory) => {
    const stored = await getUser(directory, tenant, name);
    return planUser(directory, tenant, change(stored));
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

/** Plans a new password, which also ends the sessions of the user. Returns null if the operator cancels the input. */
async function setPassword({ ports, host }: Session, tenant: string, name: string): Promise<ChangeResult | null> {
  const password = await readPassword(host);
  if (password === null) return null;
  return changeDirectory(ports.records, async (directory) => {
    const { user } = await getUser(directory, tenant, name);
    // The user becomes an entry of a file, so that the new password is checked by the rules of `apply`.
    const value = { ...toFileEntry('user', user), password } as FileValue<'user'>;
    return planEntry({ kind: 'user', path: 'user', tenant, value }, directory, ports.demoPassword);
  });
}
