import { companySize, setCompanyStatus } from '../../../lib/admin/access/companies.ts';
import { endSessions, setUserActive, unlockUser } from '../../../lib/admin/access/users.ts';
import type { ChangeResult } from '../../../lib/admin/directory/change.ts';
import type { AdminPorts } from '../../../lib/admin/ports/admin-ports.ts';
import { defineCommand, dryRunOption, runCommand, yesOption } from '../command.ts';
import { counted } from '../counted.ts';
import { printResult } from './result-texts.ts';

const COMPANY = ['<company>', 'the id of the company'] as const;
const USER = ['<user>', 'the id, e-mail or username of the user; digits alone are an id'] as const;

/** A command that stops or starts something; `id` is the second argument. */
interface Stop {
  readonly of: typeof COMPANY | typeof USER;
  readonly summary: string;
  /** A company or user of the demo. */
  readonly example: string;
  readonly change: (ports: AdminPorts, tenant: string, id: string) => Promise<ChangeResult>;
  /** What is asked before; null: nothing would be done. */
  readonly question?: (ports: AdminPorts, tenant: string, id: string) => Promise<string | null>;
  /** What to say when nothing was to be done. */
  readonly already?: string;
}

const stops: Readonly<Record<string, Stop>> = {
  'suspend-company': {
    of: COMPANY,
    summary: 'Suspend a company: from the next request on none of its users and API keys works.',
    example: '100',
    question: suspensionQuestion,
    change: (ports, tenant, companyId) => setCompanyStatus(ports, { tenant, companyId }, 'SUSPENDED'),
    already: 'It is suspended already.',
  },
  'resume-company': {
    of: COMPANY,
    summary: 'End the suspension of a company.',
    example: '102',
    change: (ports, tenant, companyId) => setCompanyStatus(ports, { tenant, companyId }, 'ACTIVE'),
    already: 'It is not suspended.',
  },
  'activate-user': {
    of: USER,
    summary: 'Let a deactivated user in again; its license and expiry still count.',
    example: 'fabio@demo.example',
    change: (ports, tenant, user) => setUserActive(ports, { tenant, user }, true),
    already: 'The user is active already.',
  },
  'deactivate-user': {
    of: USER,
    summary: 'Let a user in no more: its logins and, from the next request on, its tokens are refused.',
    example: 'ana',
    change: (ports, tenant, user) => setUserActive(ports, { tenant, user }, false),
    already: 'The user is deactivated already.',
  },
  'end-sessions': {
    of: USER,
    summary: 'End the sessions of a user: from the next request on its tokens are refused, and it may log in again.',
    example: 'ana',
    change: (ports, tenant, user) => endSessions(ports, { tenant, user }),
  },
  'unlock-user': {
    of: USER,
    summary: 'Clear the failed logins of a user, so that it can log in from every address.',
    example: 'ana',
    change: (ports, tenant, user) => unlockUser(ports, { tenant, user }),
    already: 'The user is not locked.',
  },
};

/** The commands that stop or start a company or a user. */
export const stopCommands = Object.entries(stops).map(([name, { question, change, already, ...stop }]) => {
  const command = defineStopCommand(name, stop);
  if (question) command.addOption(yesOption);
  return command.action((tenant, id, options) =>
    runCommand(options, async ({ ports, output, confirm }) => {
      if (question) await confirm(() => question(ports, tenant, id));
      return printResult(output, await change(ports, tenant, id), already);
    }),
  );
});

/** A command on a user, which it names by its arguments; see defineCommand. */
export function defineUserCommand(name: string, text: Pick<Stop, 'summary' | 'example'>) {
  return defineStopCommand(name, { ...text, of: USER });
}

function defineStopCommand(name: string, { of, summary, example }: Pick<Stop, 'of' | 'summary' | 'example'>) {
  return defineCommand(name, { summary, example: `${name} demo.example ${example} --local` })
    .argument('<tenant>', 'the tenant')
    .argument(of[0], of[1])
    .addOption(dryRunOption);
}

async function suspensionQuestion(ports: AdminPorts, tenant: string, companyId: string): Promise<string | null> {
  const { company, suppliers, users, apiKeys } = await companySize(ports, { tenant, companyId });
  if (company.stopped_at !== undefined) return null;
  const stopped = [counted(suppliers, 'supplier'), counted(users, 'user'), counted(apiKeys, 'API key')].join(', ');
  return `Suspend company ${companyId} (${company.name}) of ${tenant}? It stops at once for ${stopped}.`;
}
