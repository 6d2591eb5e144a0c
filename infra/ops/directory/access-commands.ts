import { readCompanySize, setCompanyStatus } from '../../../lib/admin/directory/companies.ts';
import type { ChangeResult } from '../../../lib/admin/directory/change-directory.ts';
import { endSessions, setPassword, setUserActive, unlockUser } from '../../../lib/admin/directory/users.ts';
import { OperatorError } from '../../../lib/admin/operator-error.ts';
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
  readonly of: typeof COMPANY | typeof USER;
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
    of: COMPANY,
    summary: 'Suspend a company: from the next request on none of its users and API keys works.',
    example: '100',
    question: askSuspension,
    change: ({ ports }, tenant, companyId) => setCompanyStatus(ports, { tenant, companyId }, 'SUSPENDED'),
    already: 'It is suspended already.',
  },
  'resume-company': {
    of: COMPANY,
    summary: 'End the suspension of a company.',
    example: '102',
    change: ({ ports }, tenant, companyId) => setCompanyStatus(ports, { tenant, companyId }, 'ACTIVE'),
    already: 'It is not suspended.',
  },
  'activate-user': {
    of: USER,
    summary: 'Let a deactivated user in again; its license and expiry still count.',
    example: 'fabio@demo.example',
    change: ({ ports }, tenant, user) => setUserActive(ports, { tenant, user }, true),
    already: 'The user is active already.',
  },
  'deactivate-user': {
    of: USER,
    summary: 'Let a user in no more: its logins and, from the next request on, its tokens are refused.',
    example: 'ana',
    change: ({ ports }, tenant, user) => setUserActive(ports, { tenant, user }, false),
    already: 'The user is deactivated already.',
  },
  'end-sessions': {
    of: USER,
    summary: 'End the sessions of a user: from the next request on its tokens are refused, and it may log in again.',
    example: 'ana',
    change: ({ ports }, tenant, user) => endSessions(ports, { tenant, user }),
  },
  'unlock-user': {
    of: USER,
    summary: 'Clear the failed logins of a user, so that it can log in from every address.',
    example: 'ana',
    change: ({ ports }, tenant, user) => unlockUser(ports, { tenant, user }),
    already: 'The user is not locked.',
  },
  'set-password': {
    of: USER,
    summary: 'Give a user a new password; a terminal is asked for it, else it is the first line of standard input.',
    example: 'ana',
    async change({ ports, host }, tenant, user) {
      const password = await readPassword(host);
      if (password === '') throw new OperatorError('The password must not be empty.');
      return password === null ? null : setPassword(ports, { tenant, user }, password);
    },
    already: 'The user has this password already.',
  },
};

/** The commands that change the access of a company or a user. */
export const accessCommands = Object.entries(definitions).map(
  ([
    name,
    {
      of: [argument, description],
      summary,
      example,
      question,
      change,
      already,
    },
  ]) => {
    const command = defineCommand(name, { summary, example: `${name} demo.example ${example} --local` })
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
  },
);

async function askSuspension(ports: AdminPorts, tenant: string, companyId: string): Promise<string | null> {
  const { company, suppliers, users, apiKeys } = await readCompanySize(ports, { tenant, companyId });
  if (company.stopped_at !== undefined) return null;
  const stopped = [counted(suppliers, 'supplier'), counted(users, 'user'), counted(apiKeys, 'API key')].join(', ');
  return `Suspend company ${companyId} (${company.name}) of ${tenant}? Access stops at once for ${stopped}.`;
}

/** Reads the password, on a terminal twice; null if the user interrupts it. */
async function readPassword(host: HostProcess): Promise<string | null> {
  const password = await readSecret('New password:', host);
  if (!password || !host.stdin.isTTY) return password;
  const again = await readSecret('The same again:', host);
  if (again !== null && again !== password) throw new OperatorError('The two passwords differ.');
  return again;
}
