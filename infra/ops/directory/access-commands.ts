import { endSessions, readCompanySize, setCompanyStatus, setPassword, setUserActive, unlockUser } from './access.ts';
import type { ChangeResult } from './change-directory.ts';
import { OperatorError } from '../operator-error.ts';
import type { AdminPorts } from '../../../lib/composition/admin-ports.ts';
import { defineCommand, dryRunOption, EXIT, runCommand, type Session, yesOption } from '../command.ts';
import { readSecret } from '../confirm.ts';
import { counted } from '../counted.ts';
import type { HostProcess } from '../host-process.ts';
import { printResult } from './result-texts.ts';

const COMPANY = ['<company>', 'the id of the company'] as const;
const USER = ['<user>', 'the id, e-mail or username of the user; digits alone are an id'] as const;

/** A command that changes the access of a company or a user; `id` is its second argument. */
interface AccessCommand {
  readonly argument: typeof COMPANY | typeof USER;
  readonly summary: string;
  /** A company or user of the demo. */
  readonly example: string;
  /** Makes the change; null if the user interrupts it. */
  readonly change: (session: Session, tenant: string, id: string) => Promise<ChangeResult | null>;
  /** Returns the question that is asked before the change; null if there is nothing to change. */
  readonly question?: (ports: AdminPorts, tenant: string, id: string) => Promise<string | null>;
  /** The line that is printed if there was nothing to change. */
  readonly already?: string;
}

const definitions: Readonly<Record<string, AccessCommand>> = {
  'suspend-company': {
    argument: COMPANY,
    summary: 'Suspend a company: its users and API keys are rejected from the next request on.',
    example: '100',
    question: askSuspension,
    change: ({ ports }, tenant, id) => setCompanyStatus(ports, tenant, id, 'SUSPENDED'),
    already: 'The company is already suspended.',
  },
  'resume-company': {
    argument: COMPANY,
    summary: 'End the suspension of a company.',
    example: '102',
    change: ({ ports }, tenant, id) => setCompanyStatus(ports, tenant, id, 'ACTIVE'),
    already: 'The company is not suspended.',
  },
  'activate-user': {
    argument: USER,
    summary: 'Activate a deactivated user; its license and expiry still apply.',
    example: 'fabio@demo.example',
    change: ({ ports }, tenant, id) => setUserActive(ports, tenant, id, true),
    already: 'The user is already active.',
  },
  'deactivate-user': {
    argument: USER,
    summary: 'Deactivate a user: logins and existing tokens are rejected from the next request on.',
    example: 'ana',
    change: ({ ports }, tenant, id) => setUserActive(ports, tenant, id, false),
    already: 'The user is already deactivated.',
  },
  'end-sessions': {
    argument: USER,
    summary: 'End the sessions of a user: existing tokens are rejected from the next request on; new logins work.',
    example: 'ana',
    change: ({ ports }, tenant, id) => endSessions(ports, tenant, id),
  },
  'unlock-user': {
    argument: USER,
    summary: 'Clear the failed logins of a user, so that the user can log in from every address.',
    example: 'ana',
    change: ({ ports }, tenant, id) => unlockUser(ports, tenant, id),
    already: 'The user is not locked.',
  },
  'set-password': {
    argument: USER,
    summary: 'Set the password of a user, from a prompt or from the first line of standard input.',
    example: 'ana',
    async change({ ports, host }, tenant, id) {
      const password = await readPassword(host);
      if (password === '') throw new OperatorError('The password must not be empty.');
      return password === null ? null : setPassword(ports, tenant, id, password);
    },
    already: 'The user already has this password.',
  },
};

/** The commands that change the access of a company or a user. */
export const accessCommands = Object.entries(definitions).map(([name, definition]) => {
  const { summary, question, change, already } = definition;
  const [argument, description] = definition.argument;
  const command = defineCommand(name, { summary, example: `${name} demo.example ${definition.example} --local` })
    .argument('<tenant>', 'the tenant')
    .argument(argument, description)
    .addOption(dryRunOption);
  if (question) command.addOption(yesOption);
  return command.action((tenant, id, options) =>
    runCommand(options, async (session) => {
      const { ports, output, confirm } = session;
      if (question) await confirm(() => question(ports, tenant, id));
      const result = await change(session, tenant, id);
      return result ? printResult(output, result, already) : EXIT.interrupted;
    }),
  );
});

async function askSuspension(ports: AdminPorts, tenant: string, companyId: string): Promise<string | null> {
  const { company, suppliers, users, apiKeys } = await readCompanySize(ports, tenant, companyId);
  if (company.stopped_at !== undefined) return null;
  const size = [counted(suppliers, 'supplier'), counted(users, 'user'), counted(apiKeys, 'API key')].join(', ');
  return `Suspend company ${companyId} (${company.name}) of ${tenant}? The access of ${size} ends immediately.`;
}

/** Reads the password, twice on a terminal; null if the user interrupts it. */
async function readPassword(host: HostProcess): Promise<string | null> {
  const password = await readSecret('New password:', host);
  if (!password || !host.stdin.isTTY) return password;
  const repeated = await readSecret('Repeat the password:', host);
  if (repeated !== null && repeated !== password) throw new OperatorError('The two passwords differ.');
  return repeated;
}
