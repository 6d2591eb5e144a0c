import type { Entity } from '../../../lib/domain/directory.ts';
import { collectPages } from '../../../lib/runtime/pages.ts';
import {
  defineCommand,
  dryRunOption,
  EXIT,
  runCommand,
  type Session,
  yesOption,
  readSecret,
  formatCount,
} from '../command.ts';
import { OperatorError } from '../operator-errors.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';
import { keysIn } from '../tables/directory-records.ts';
import {
  changeDirectory,
  changeEntity,
  type ChangeResult,
  DirectorySnapshot,
  printResult,
} from './change-directory.ts';
import { findPasswordError, toPasswordHash } from './password-rules.ts';
import { type ChangedUser, markSuspended, planUser } from './plan-entry.ts';
import { listRecords } from './read-directory.ts';

/** A command that changes the access of a company or a user. */
interface AccessCommand {
  readonly summary: string;
  /** Makes the change of the company or user with an id; null if the user interrupts it. */
  readonly change: (session: Session, tenant: string, id: string) => Promise<ChangeResult | null>;
  /** Returns the question that is asked before the change; null if there is nothing to change. */
  readonly question?: (ports: AdminPorts, tenant: string, id: string) => Promise<string | null>;
  /** The line that is printed if there was nothing to change. */
  readonly already?: string;
}

const definitions: Readonly<Record<string, AccessCommand>> = {
  'suspend-company': {
    summary: 'Suspend a company: its users and API keys are rejected from the next request on.',
    question: askSuspension,
    change: ({ ports }, tenant, id) => setCompanyStatus(ports, tenant, id, 'SUSPENDED'),
    already: 'The company is already suspended.',
  },
  'resume-company': {
    summary: 'End the suspension of a company.',
    change: ({ ports }, tenant, id) => setCompanyStatus(ports, tenant, id, 'ACTIVE'),
    already: 'The company is not suspended.',
  },
  'activate-user': {
    summary: 'Activate a deactivated user; its license and expiry still apply.',
    change: ({ ports }, tenant, id) => setUserActive(ports, tenant, id, true),
    already: 'The user is already active.',
  },
  'deactivate-user': {
    summary: 'Deactivate a user: logins and existing tokens are rejected from the next request on.',
    change: ({ ports }, tenant, id) => setUserActive(ports, tenant, id, false),
    already: 'The user is already deactivated.',
  },
  'end-sessions': {
    summary: 'End the sessions of a user: existing tokens are rejected from the next request on; new logins work.',
    change: ({ ports }, tenant, id) => endSessions(ports, tenant, id),
  },
  'unlock-user': {
    summary: 'Clear the failed logins of a user, so that the user can log in from every address.',
    change: ({ ports }, tenant, id) => unlockUser(ports, tenant, id),
    already: 'The user is not locked.',
  },
  'set-password': {
    summary: 'Set the password of a user, from a prompt or from the first line of standard input.',
    change: setPassword,
    already: 'The user already has this password.',
  },
};

/** The arguments of the commands, with an example of the demo. */
const COMPANY = ['<company>', 'the id of the company', '100'] as const;
const USER = ['<user>', 'the id, e-mail or username of the user; digits alone are an id', 'ana'] as const;

/** The commands that change the access of a company or a user. */
export const accessCommands = Object.entries(definitions).map(([name, { summary, question, change, already }]) => {
  const [argument, description, example] = name.endsWith('-company') ? COMPANY : USER;
  const command = defineCommand(name, { summary, example: `${name} demo.example ${example} --local` })
    .argument('<tenant>', 'the tenant')
    .argument(argument, description)
    .addOption(dryRunOption);
  if (question) command.addOption(yesOption);
  return command.action((tenant, id, options) =>
    runCommand(options, async (session) => {
      if (question) await session.confirm(() => question(session.ports, tenant, id));
      const result = await change(session, tenant, id);
      return result ? printResult(session, result, already) : EXIT.interrupted;
    }),
  );
});

async function askSuspension(ports: AdminPorts, tenant: string, companyId: string): Promise<string | null> {
  const company = await new DirectorySnapshot(ports.records).getExisting(keysIn(tenant).company(companyId));
  if (company.stopped_at !== undefined) return null;
  const [suppliers, users, apiKeys] = await Promise.all([
    collectPages(listRecords(ports, 'supplier', tenant, companyId)),
    collectPages(listRecords(ports, 'user', tenant, companyId)),
    collectPages(listRecords(ports, 'api_key', tenant, companyId)),
  ]);
  const unrevoked = apiKeys.filter(({ revoked_at: revokedAt }) => revokedAt === undefined);
  const counts = { supplier: suppliers.length, user: users.length, 'API key': unrevoked.length };
  const size = Object.entries(counts).map(([noun, count]) => formatCount(count, noun));
  return `Suspend company ${companyId} (${company.name}) of ${tenant}? The access of ${size.join(', ')} ends immediately.`;
}

/** Sets the status of a company. A suspension is marked, so that `apply` does not end it. */
function setCompanyStatus(
  { records }: AdminPorts,
  tenant: string,
  companyId: string,
  status: Entity<'company'>['status'],
) {
  return changeEntity(records, keysIn(tenant).company(companyId), ({ stopped_at: since }) => {
    return { status, stopped_at: markSuspended(status === 'SUSPENDED', since) };
  });
}

/** Activates or deactivates a user. A deactivation ends all sessions, and is marked, so that `apply` keeps it. */
export function setUserActive(ports: AdminPorts, tenant: string, name: string, active: boolean): Promise<ChangeResult> {
  return changeUser(ports, tenant, name, async ({ user, account }) => {
    const changed = { ...user, active, stopped_at: markSuspended(!active, user.stopped_at) };
    return { user: changed, account, endsSessions: !active && user.stopped_at === undefined };
  });
}

/** Ends the sessions of a user: its tokens are rejected, and the user can log in again. */
export function endSessions(ports: AdminPorts, tenant: string, name: string): Promise<ChangeResult> {
  return changeUser(ports, tenant, name, async (stored) => ({ ...stored, endsSessions: true }));
}

/** Reads the password, twice on a terminal; null if the user interrupts it. */
async function readPassword(host: Session['host']): Promise<string | null> {
  const password = await readSecret('New password:', host);
  if (password === '') throw new OperatorError('The password must not be empty.');
  if (password === null || !host.stdin.isTTY) return password;
  const repeated = await readSecret('Repeat the password:', host);
  if (repeated !== null && repeated !== password) throw new OperatorError('The two passwords differ.');
  return repeated;
}

/** Sets the password of a user, and ends its sessions; throws an OperatorError if the password is not allowed. */
async function setPassword({ ports, host }: Session, tenant: string, name: string): Promise<ChangeResult | null> {
  const password = await readPassword(host);
  if (password === null) return null;
  return changeUser(ports, tenant, name, async ({ user, account }, directory) => {
    const company = await directory.get(keysIn(tenant).company(user.company_id));
    const error = password === ports.demoPassword ? null : findPasswordError(password, tenant, user, company);
    if (error) throw new OperatorError(`The password ${error}.`);
    const hash = await toPasswordHash(password, account?.password_hash);
    const changed = { ...account, password_hash: hash };
    return { user, account: changed, endsSessions: hash !== account?.password_hash };
  });
}

/** Clears the failed logins of a user's account in the current window; keeps its trusted sources. */
async function unlockUser({ records, accountLocks }: AdminPorts, tenant: string, name: string): Promise<ChangeResult> {
  const { user_id, email } = (await findUser(new DirectorySnapshot(records), tenant, name)).user;
  const failures = await accountLocks.countFailures(tenant, user_id);
  const subject = { kind: 'user', tenant, user_id, email } as const;
  if (failures === 0) return { ...subject, outcome: 'left', changes: [] };
  await accountLocks.clearFailures(tenant, user_id);
  return { ...subject, outcome: 'changed', changes: [{ property: 'failures', before: failures, after: 0 }] };
}

function changeUser(
  { records }: AdminPorts,
  tenant: string,
  name: string,
  change: (stored: Awaited<ReturnType<typeof findUser>>, directory: DirectorySnapshot) => Promise<ChangedUser>,
): Promise<ChangeResult> {
  return changeDirectory(records, async (directory) => ({
    changes: await planUser(
      directory,
      keysIn(tenant),
      await change(await findUser(directory, tenant, name), directory),
    ),
  }));
}

/** Finds a user and its account by id (digits), e-mail or username; throws an OperatorError if it does not exist. */
async function findUser(directory: DirectorySnapshot, tenant: string, name: string) {
  const keys = keysIn(tenant);
  const login = /^\d+$/.test(name) ? { user_id: name } : await directory.get(keys.login(name));
  const user = await directory.getExisting(keys.user(login?.user_id ?? ''), name);
  return { user, account: await directory.get(keys.account(user.user_id)) };
}
