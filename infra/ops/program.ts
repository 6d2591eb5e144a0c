import { styleText } from 'node:util';
import { Command } from '@commander-js/extra-typings';
import { activateUserCommand } from './directory/activate-user.ts';
import { applyCommand } from './directory/apply.ts';
import { deactivateUserCommand } from './directory/deactivate-user.ts';
import { endSessionsCommand } from './directory/end-sessions.ts';
import { exportCommand } from './directory/export.ts';
import { issueKeyCommand } from './directory/issue-key.ts';
import { listCompaniesCommand } from './directory/list-companies.ts';
import { listKeysCommand } from './directory/list-keys.ts';
import { listSuppliersCommand } from './directory/list-suppliers.ts';
import { listTenantsCommand } from './directory/list-tenants.ts';
import { listUsersCommand } from './directory/list-users.ts';
import { resumeCompanyCommand } from './directory/resume-company.ts';
import { revokeKeyCommand } from './directory/revoke-key.ts';
import { setPasswordCommand } from './directory/set-password.ts';
import { suspendCompanyCommand } from './directory/suspend-company.ts';
import { unlockUserCommand } from './directory/unlock-user.ts';
import { findRequestCommand } from './invoices/find-request.ts';
import { historyCommand } from './invoices/history.ts';
import { importInvoicesCommand } from './invoices/import.ts';
import { setStateCommand } from './invoices/set-state.ts';
import { showCommand } from './invoices/show.ts';
import { verifyCountersCommand } from './invoices/verify-counters.ts';
import { rotateSigningKeyCommand } from './signing-key/rotate-signing-key.ts';
import { clearToleranceCommand } from './tolerances/clear-tolerance.ts';
import { setToleranceCommand } from './tolerances/set-tolerance.ts';
import { simulateToleranceCommand } from './tolerances/simulate-tolerance.ts';
import { type Invocation, OPS } from './command.ts';
import { showsColours } from '../styles.ts';
import { version } from '../version.ts';

const commandGroups = {
  'Who may do what:': [
    applyCommand,
    suspendCompanyCommand,
    resumeCompanyCommand,
    activateUserCommand,
    deactivateUserCommand,
    endSessionsCommand,
    unlockUserCommand,
    setPasswordCommand,
    issueKeyCommand,
    revokeKeyCommand,
  ],
  'What there is:': [
    listTenantsCommand,
    listCompaniesCommand,
    listSuppliersCommand,
    listUsersCommand,
    listKeysCommand,
    exportCommand,
  ],
  'Tolerances:': [simulateToleranceCommand, setToleranceCommand, clearToleranceCommand],
  'Invoices:': [
    importInvoicesCommand,
    setStateCommand,
    showCommand,
    historyCommand,
    findRequestCommand,
    verifyCountersCommand,
  ],
  'Signing key:': [rotateSigningKeyCommand],
};

/** The operators' command line; commands print to the process of this invocation, and leave their exit code there. */
export function createProgram(invocation: Invocation): Command {
  const { stdout, stderr, env } = invocation.host;
  const program = new Command(OPS)
    .description(
      'Operates the Supplier Portal Invoice Service: on this machine (--local) or a deployed stack (--stack).',
    )
    .version(version(), '-V, --version', 'show the version')
    .helpCommand(false)
    .showHelpAfterError('(--help shows how)')
    .addHelpText('after', exitCodes)
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      getOutHasColors: () => showsColours(stdout, env),
      getErrHasColors: () => showsColours(stderr, env),
    })
    .configureHelp({ styleTitle: (title) => styleText('bold', title, { validateStream: false }) })
    .hook('preAction', (_, command) => void command.setOptionValue('invocation', invocation))
    .exitOverride();
  for (const [heading, commands] of Object.entries(commandGroups)) {
    program.commandsGroup(heading);
    for (const command of commands) program.addCommand(command.copyInheritedSettings(program));
  }
  return program;
}

const exitCodes = `
Exit codes: 0 done; 1 something was rejected, or differs; 2 wrong use, nothing was done;
3 it failed on the way, and can be run again; 130 interrupted, or the answer was not yes.
\`${OPS} COMMAND --help\` shows a command with an example.`;
