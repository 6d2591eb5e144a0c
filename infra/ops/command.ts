import { Command, Option, type OptionValues } from '@commander-js/extra-typings';
import { OperatorError } from '../../lib/admin/operator-error.ts';
import type { AdminPorts } from '../../lib/composition/admin-ports.ts';
import { confirm } from './confirm.ts';
import type { ExitCode } from './exit.ts';
import type { HostProcess } from './host-process.ts';
import { openOutFile } from './out-file.ts';
import { Output } from './output.ts';
import type { Target } from './targets/target.ts';

/** How the command line is called; with `-s`, npm writes nothing of its own before what a script reads. */
export const OPS = 'npm run -s ops --';

export { EXIT, type ExitCode } from './exit.ts';

/** A run of the command line: the process around it, and how the command has ended. */
export interface Invocation {
  readonly host: HostProcess;
  exitCode: ExitCode;
}

/** What a command works with: its target, where it says what it did, and the process around it. */
export interface Session extends Target {
  readonly output: Output;
  readonly host: HostProcess;
  /** Nothing is to be written: the ports write nothing. */
  readonly dryRun: boolean;
  /** Asks before what cannot be undone, see `confirm`; with --yes, and in a dry run, nobody is asked. */
  readonly confirm: (question: () => Promise<string | null>) => Promise<void>;
}

/** The option of every command that writes. */
export const dryRunOption = new Option('--dry-run', 'say what would be done, and write nothing');

/** The option of every command that asks. */
export const yesOption = new Option('--yes', 'do not ask; a script has to say so');

/** A command with the options that all of them have; `example` is a whole command line after OPS. */
export function defineCommand(name: string, { summary, example }: { summary: string; example: string }) {
  return new Command(name)
    .summary(summary)
    .description(summary)
    .option('--local', 'work on the service started here by `npm start`')
    .option('--stack <name>', 'work on a deployed stack; its outputs name the tables')
    .option('--region <region>', "the stack's AWS region, unless it is the configured one")
    .option('--json', 'print one JSON document, for scripts')
    .option('--debug', 'print the stack trace of a failure')
    .addHelpText('after', `\nExample:\n  $ ${OPS} ${example}`);
}

/** The options that all commands have. */
export interface CommonOptions extends OptionValues {
  readonly local?: true | undefined;
  readonly stack?: string | undefined;
  readonly region?: string | undefined;
  readonly json?: true | undefined;
  readonly dryRun?: true | undefined;
  readonly yes?: true | undefined;
  readonly out?: string | undefined;
  /** No option of a user: the program adds it before the command begins. */
  readonly invocation?: Invocation;
}

/**
 * Aborted by Ctrl-C, or a request to end, so that a command can end where nothing is lost; under npm one Ctrl-C may
 * arrive twice.
 */
export function stopSignal(host: HostProcess): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) host.on(signal, () => stop.abort());
  return stop.signal;
}

/** Opens the target that the options name, works on it, and keeps the exit code that this gives. */
export async function runCommand(options: CommonOptions, work: (session: Session) => Promise<ExitCode>): Promise<void> {
  const { invocation, dryRun = false, yes = false } = options;
  if (!invocation) throw new Error('The program has not begun this command.');
  const { host } = invocation;
  const outFile = options.out === undefined ? null : await openOutFile(options.out);
  const output = new Output(host, { json: options.json === true, dryRun, outFile });
  try {
    const target = await openTarget(options, host.env);
    try {
      invocation.exitCode = await work({
        ...(dryRun ? toDryTarget(target) : target),
        output,
        host,
        dryRun,
        confirm: async (question) => (yes || dryRun ? undefined : confirm(host, question)),
      });
      if (dryRun) output.line('Dry run: nothing was written.');
      await output.complete();
    } finally {
      target.client.destroy();
    }
  } catch (error) {
    output.failure(error);
    throw error;
  } finally {
    await outFile?.discard();
  }
}

function toDryTarget(target: Target): Target {
  return {
    ...target,
    ports: dryRunPorts(target.ports),
    openRepublishPorts: async () => ({
      ...(await target.openRepublishPorts()),
      put: async (entries) => entries.map(() => null),
    }),
    rotateSigningKey: async () => ({ outcome: 'rotated' }),
  };
}

/** Returns ports for a dry run: they report every write as done, and write nothing. */
function dryRunPorts(ports: AdminPorts): AdminPorts {
  const { records, accountLocks, invoiceWriter } = ports;
  return {
    ...ports,
    records: { ...records, commit: async () => true },
    accountLocks: { ...accountLocks, clearFailures: async () => undefined },
    invoiceWriter: { ...invoiceWriter, commit: async () => ({ kind: 'committed' }) },
  };
}

/** Opens the target that the options name; throws an OperatorError unless that is exactly one, and there. */
async function openTarget({ local, stack, region }: CommonOptions, env: HostProcess['env']): Promise<Target> {
  if ((local === true) === (stack !== undefined)) throw new OperatorError('Name one target: --local or --stack NAME.');
  if (stack === undefined) {
    if (region !== undefined) throw new OperatorError('--region belongs to --stack.');
    return (await import('./targets/local-target.ts')).openLocalTarget(env);
  }
  return (await import('./targets/stack-target.ts')).openStackTarget(stack, region);
}
