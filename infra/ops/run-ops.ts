import { inspect } from 'node:util';
import { Command, CommanderError, Help, type Option } from '@commander-js/extra-typings';
import { getLanguageOfLocale, type Language } from '../../lib/domain/language.ts';
import { toPrintable } from '../../lib/runtime/printable.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { printError } from '../process/terminal.ts';
import { dryRunOption, type Invocation, OPS, yesInProdOption } from './command.ts';
import { accessCommands } from './directory/access-commands.ts';
import { issueKeyCommand, revokeKeyCommand } from './directory/api-keys.ts';
import { applyCommand } from './directory/apply.ts';
import { exportCommand } from './directory/export-directory.ts';
import { listCommands } from './directory/lists.ts';
import { setPasswordCommand } from './directory/set-password.ts';
import { exportDeclarationsCommand } from './export/export-declarations.ts';
import { findRequestCommand } from './export/find-request.ts';
import { importInvoicesCommand } from './import/import.ts';
import { auditCommand } from './maintenance/audit.ts';
import { doctorCommand } from './maintenance/doctor.ts';
import { rotateSigningKeyCommand } from './maintenance/rotate-signing-key.ts';
import { verifyCommand } from './maintenance/verify.ts';
import { describeFailure, EXIT, type ExitCode, getExitCode } from './operator-errors.ts';
import type { HostProcess } from './output/output.ts';
import { ResultStream } from './output/result-stream.ts';
import { eraseUserCommand } from './retention/erase-user.ts';
import { eraseSupplierCommand, eraseTenantCommand } from './retention/erase.ts';
import { restoreInvoiceCommand, setStateCommand, withdrawInvoiceCommand } from './review/change-invoice.ts';
import { changesCommand, historyCommand } from './review/changes.ts';
import { decideCommand } from './review/decide.ts';
import { listInvoicesCommand, listWithdrawnCommand } from './review/list-invoices.ts';
import { showCommand } from './review/show.ts';
import { summaryCommand } from './review/summary.ts';
import { undoCommand } from './review/undo.ts';
import { languageOption, setLanguage } from './texts/language.ts';

/** The commands by the headings of the help. */
const COMMAND_GROUPS = {
  'Directory:': [applyCommand, exportCommand, ...listCommands],
  'Access:': [...accessCommands, setPasswordCommand, issueKeyCommand, revokeKeyCommand],
  'Import:': [importInvoicesCommand],
  'Review:': [listInvoicesCommand, summaryCommand, decideCommand, showCommand, historyCommand, setStateCommand],
  'Withdrawal:': [withdrawInvoiceCommand, restoreInvoiceCommand, listWithdrawnCommand],
  'Export:': [exportDeclarationsCommand, findRequestCommand],
  'Changes:': [changesCommand, undoCommand],
  'Retention:': [eraseUserCommand, eraseSupplierCommand, eraseTenantCommand],
  'Maintenance:': [auditCommand, doctorCommand, verifyCommand, rotateSigningKeyCommand],
};

const EXIT_CODES = `
Exit codes: 0 done; 1 something was rejected, or a difference was found; 2 invalid usage, nothing was done;
3 failed, or the output is incomplete: run the command again; 130 interrupted, or not confirmed.
\`${OPS} COMMAND --help\` shows the options of a command and an example.`;

// The parser repeats values in its errors, and a value can be a secret. These patterns match the repeated values:
// `: t, u, secret` in "too many arguments … but got 3: t, u, secret."
const EXTRA_ARGUMENTS = /(?<=but got \d+): .*(?=\.)/s;
// `=secret` in "unknown option '--password=secret'"
const VALUE_OF_UNKNOWN_OPTION = /(?<=unknown option '[^=]*)=.*(?=')/s;

/** Runs the command of the arguments, prints its error, and returns its exit code. */
export async function runOps(args: readonly string[], host: HostProcess): Promise<ExitCode> {
  const { stdout, stderr } = host;
  setLanguage('en');
  const invocation: Invocation = { host, args, exitCode: EXIT.done };
  // Notices a failed write of the help or the version. A command notices the failed writes of its result itself.
  const helpStream = new ResultStream(stdout);
  try {
    await parseArguments(createProgram(invocation), args);
    await helpStream.complete();
    return invocation.exitCode;
  } catch (error) {
    // The parser has already printed its errors.
    if (error instanceof CommanderError) return EXIT.wrongUse;
    for (const line of describeFailure(error)) printError(toPrintable(line), stderr);
    if (args.includes('--debug')) printError(inspect(error).split('\n').map(toPrintable).join('\n'), stderr);
    return getExitCode(error);
  }
}

async function parseArguments(program: Command, args: readonly string[]): Promise<void> {
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    // The parser also throws an error after it has printed the help or the version.
    const hasPrintedHelp = error instanceof CommanderError && error.exitCode === 0;
    if (!hasPrintedHelp) throw error;
  }
}

/** Creates the parser of the command line. Its commands use the process of the invocation, and set its exit code. */
export function createProgram(invocation: Invocation): Command {
  const program = defineProgram(invocation.host).hook('preAction', (_, command) => prepareCommand(command, invocation));
  for (const [heading, commands] of Object.entries(COMMAND_GROUPS)) {
    program.commandsGroup(heading);
    for (const command of commands) {
      const hasYesOption = command.options.some(({ long }) => long === '--yes');
      if (command.options.includes(dryRunOption) && !hasYesOption) command.addOption(yesInProdOption);
      program.addCommand(command.copyInheritedSettings(program));
    }
  }
  return program;
}

function defineProgram({ stdout, stderr }: HostProcess): Command {
  return new Command(OPS)
    .description(
      'Operate the Supplier Portal Invoice Service on this machine (--local) or on a deployed stack (--stack).',
    )
    .version(packageJson.version, '-V, --version', 'show the version')
    .helpCommand(false)
    .showHelpAfterError('(For the usage, pass --help.)')
    .addHelpText('after', EXIT_CODES)
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: (text, write) => write(text.replace(EXTRA_ARGUMENTS, '').replace(VALUE_OF_UNKNOWN_OPTION, '')),
    })
    .configureHelp({ optionDescription: describeOption })
    .exitOverride();
}

function describeOption(option: Option): string {
  const description = new Help().optionDescription(option);
  return option.mandatory ? `${description} (required)` : description;
}

/** Passes the invocation to a command, and sets the language of its messages. */
function prepareCommand(command: Command<unknown[]>, invocation: Invocation): void {
  invocation.command = command;
  command.setOptionValue('invocation', invocation);
  if (!command.options.includes(languageOption)) return;
  const { language } = command.opts() as { readonly language?: Language };
  setLanguage(language ?? getLanguageOfLocale(invocation.host.locale ?? 'en'));
}
