import { styleText } from 'node:util';
import { Command } from '@commander-js/extra-typings';
import { applyCommand } from './directory/apply.ts';
import { exportCommand } from './directory/export.ts';
import { issueKeyCommand, revokeKeyCommand } from './directory/keys.ts';
import { listCommands } from './directory/lists.ts';
import { setPasswordCommand } from './directory/set-password.ts';
import { simulateToleranceCommand } from './directory/simulate-tolerance.ts';
import { stopCommands } from './directory/stops.ts';
import { clearToleranceCommand, setToleranceCommand } from './directory/tolerances.ts';
import { decideCommand } from './invoices/decide.ts';
import { exportDeclarationsCommand } from './invoices/export-declarations.ts';
import { findRequestCommand } from './invoices/find-request.ts';
import { historyCommand } from './invoices/history.ts';
import { importInvoicesCommand } from './invoices/import.ts';
import { listInvoicesCommand } from './invoices/list-invoices.ts';
import { setStateCommand } from './invoices/set-state.ts';
import { showCommand } from './invoices/show.ts';
import { summaryCommand } from './invoices/summary.ts';
import { verifyCountersCommand } from './invoices/verify-counters.ts';
import { rotateSigningKeyCommand } from './rotate-signing-key.ts';
import { type Invocation, OPS } from './command.ts';
import { showsColours } from '../styles.ts';
import { version } from '../version.ts';

const commandGroups = {
  'Who may do what:': [applyCommand, ...stopCommands, setPasswordCommand, issueKeyCommand, revokeKeyCommand],
  'What there is:': [...listCommands, exportCommand],
  'Tolerances:': [simulateToleranceCommand, setToleranceCommand, clearToleranceCommand],
  'Invoices:': [
    importInvoicesCommand,
    listInvoicesCommand,
    summaryCommand,
    exportDeclarationsCommand,
    decideCommand,
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
3 it failed on the way, or its output is incomplete: run it again; 130 interrupted, or the answer was not yes.
\`${OPS} COMMAND --help\` shows a command with an example.`;
