import { createInterface } from 'node:readline';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { readAnswers } from '../../../lib/terminal/read-answers.ts';
import { defineCommand, dryRunOption, runCommand, type Session, yesOption } from '../command.ts';
import { EXIT, OperatorError } from '../operator-errors.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';
import { keysIn } from '../tables/directory-records.ts';
import { changeDirectory, type ChangeResult, DirectorySnapshot, printResult } from './change-directory.ts';
import { type ChangedUser, planPropertyChange, planUser } from './plan-entry.ts';

interface AccessCommand {
  readonly summary: string;
  /** Changes the company or user with an id; returns null if the operator cancels the input. */
  readonly change: (session: Session, tenant: string, id: string) => Promise<ChangeResult | null>;
  /** Returns the question that is asked before the change; null if there is nothing to change. */
  readonly question?: (ports: AdminPorts, tenant: string, id: string) => Promise<string | null>;
}

const definitions: Readonly<Record<string, AccessCommand>> = {
  'suspend-company': {
    summary: 'Suspend a company: its users and API keys are rejected from the next request on.',
    question: askSuspension,
    change: ({ ports }, tenant, id) => setCompanyStatus(ports, tenant, id, 'SUSPENDED'),
  },
  'resume-company': {
    summary: 'End the suspension of a company.',
    change: ({ ports }, tenant, id) => setCompanyStatus(ports, tenant, id, 'ACTIVE'),
  },
  'activate-user': {
    summary: 'Reactivate a user. A user without a license, or whose access has expired, still cannot log in.',
    change: ({ ports }, tenant, id) => setUserActive(ports, tenant, id, true),
  },
  'deactivate-user': {
    summary: 'Deactivate a user: logins and existing tokens are rejected from the next request on.',
    change: ({ ports }, tenant, id) => setUserActive(ports, tenant, id, false),
  },
  'end-sessions': {
    summary: 'End the sessions of a user: existing tokens are rejected from the next request on; new logins work.',
    change: ({ ports }, tenant, id) => changeUser(ports, tenant, id, (stored) => ({ ...stored, endsSessions: true })),
  },
  'unlock-user': {
    summary: 'Clear the failed logins of a user, so that the user can log in from every address.',
    change: unlockUser,
  },
  'set-password': {
    summary: 'Set the password of a user, from a prompt or from the first line of standard input.',
    change: setPassword,
  },
};

/** The second argument of a command: its name, its description, and an example value from the demo data. */
const COMPANY = ['<company>', 'the id of the company', '100'] as const;
const USER = ['<user>', 'the id (only digits), e-mail or username of the user', 'ana'] as const;

export const accessCommands = Object.entries(definitions).map(([name, { summary, question, change }]) => {
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

/** Sets the status of a company. A suspension is marked with its time, so that `apply` does not end it. */
function setCompanyStatus({ records }: AdminPorts, tenant: string, companyId: string, status: 'ACTIVE' | 'SUSPENDED') {
  const key = keysIn(tenant).company(companyId);
  return changeDirectory(records, async (directory) => {
    const company = await directory.getExisting(key);
    const stoppedAt = status === 'ACTIVE' ? undefined : (company.stopped_at ?? systemClock.now().toISOString());
    return { changes: [await directory.planChange(key, { ...company, status, stopped_at: stoppedAt })] };
  });
}

/** Activates or deactivates a user. A deactivation is marked with its time, so that `apply` does not end it. */
function setUserActive(ports: AdminPorts, tenant: string, name: string, active: boolean): Promise<ChangeResult> {
  return changeUser(ports, tenant, name, ({ user, account }) => {
    const stoppedAt = active ? undefined : (user.stopped_at ?? systemClock.now().toISOString());
    const endsSessions = !active && user.stopped_at === undefined;
    return { user: { ...user, active, stopped_at: stoppedAt }, account, endsSessions };
  });
}

/** Sets the password of a user, and ends its sessions; throws an OperatorError if the password is not allowed. */
async function setPassword({ ports, host }: Session, tenant: string, name: string): Promise<ChangeResult | null> {
  const password = await readPassword(host);
  if (password === null) return null;
  return changeDirectory(ports.records, async (directory) => {
    const { user } = await findUser(directory, tenant, name);
    return planPropertyChange(directory, keysIn(tenant).user(user.user_id), { password }, ports.demoPassword);
  });
}

/**
 * Reads the new password: from a terminal twice and without echo, otherwise the first line of standard input. Returns
 * null if the operator cancels the input.
 */
async function readPassword(host: Session['host']): Promise<string | null> {
  const questions = ['New password:', 'Repeat the password:'];
  const answers = host.stdin.isTTY
    ? await readAnswers(questions, host, { isSecret: true })
    : [await readFirstLine(host.stdin)];
  if (answers === null) return null;
  const [password = '', repeated = password] = answers;
  if (password === '') throw new OperatorError('The password must not be empty.');
  if (repeated !== password) throw new OperatorError('The two passwords differ.');
  return password;
}

async function readFirstLine(stdin: NodeJS.ReadStream): Promise<string> {
  try {
    for await (const line of createInterface({ input: stdin })) return line;
    return '';
  } finally {
    stdin.destroy();
  }
}

/** Clears the failed logins of a user's account in the current window; keeps its trusted sources. */
async function unlockUser({ ports }: Session, tenant: string, name: string): Promise<ChangeResult> {
  const { user_id, email } = (await findUser(new DirectorySnapshot(ports.records), tenant, name)).user;
  const failures = await ports.accountLocks.countFailures(tenant, user_id);
  const subject = { kind: 'user', tenant, user_id, email } as const;
  if (failures === 0) return { ...subject, outcome: 'left', changes: [] };
  await ports.accountLocks.clearFailures(tenant, user_id);
  return { ...subject, outcome: 'changed', changes: [{ property: 'failures', before: failures, after: 0 }] };
}

function changeUser(
  { records }: AdminPorts,
  tenant: string,
  name: string,
  change: (stored: Awaited<ReturnType<typeof findUser>>) => ChangedUser,
): Promise<ChangeResult> {
  return changeDirectory(records, async (directory) => {
    const stored = await findUser(directory, tenant, name);
    return { changes: await planUser(directory, tenant, change(stored)) };
  });
}

/** Finds a user that is not erased, and its account, by id (digits), e-mail or username; otherwise throws an error. */
async function findUser(directory: DirectorySnapshot, tenant: string, name: string) {
  const user = await findAnyUser(directory, tenant, name);
  if (user.erased_at)
    throw new OperatorError(`User ${name} of ${tenant} was erased at ${user.erased_at}, permanently.`);
  return { user, account: await directory.get(keysIn(tenant).account(user.user_id)) };
}

/** Finds a user, also an erased one, by id (digits), e-mail or username; throws an OperatorError if there is none. */
export async function findAnyUser(directory: DirectorySnapshot, tenant: string, name: string) {
  const keys = keysIn(tenant);
  const login = /^\d+$/.test(name) ? { user_id: name } : await directory.get(keys.login(name));
  return directory.getExisting(keys.user(login?.user_id ?? ''), name);
}
