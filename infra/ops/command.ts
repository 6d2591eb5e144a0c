import { Command, InvalidArgumentError, Option, type OptionValues } from '@commander-js/extra-typings';
import { OperatorError } from './errors.ts';
import { confirm } from './confirm.ts';
import type { ExitCode, HostProcess } from './host-process.ts';
import { openOutFile } from './out-file.ts';
import { Output } from './output.ts';
import type { Target } from './targets/target.ts';

/** The command line; `-s` prevents npm from writing its own lines to standard output. */
export const OPS = 'npm run -s ops --';

export { EXIT, type ExitCode } from './host-process.ts';

/** A run of the command line: its process, and the exit code of the command. */
export interface Invocation {
  readonly host: HostProcess;
  exitCode: ExitCode;
}

export interface Session extends Target {
  readonly output: Output;
  readonly host: HostProcess;
  /** True for a dry run: the ports write nothing. */
  readonly dryRun: boolean;
  /** Asks for confirmation (see `confirm`), unless --yes is present or it is a dry run. */
  readonly confirm: (question: () => Promise<string | null>) => Promise<void>;
}

/** The option of every command that writes. */
export const dryRunOption = new Option('--dry-run', 'print what the command would do, and write nothing');

/** The option of every command that asks. */
export const yesOption = new Option('--yes', 'do not ask for confirmation; required in scripts');

/** Returns a parser of option values that must match a pattern; `description` completes the message of the error. */
export function matching(pattern: RegExp, description: string): (text: string) => string {
  return (text) => {
    if (pattern.test(text)) return text;
    throw new InvalidArgumentError(`The value must be ${description}.`);
  };
}

/** Defines a command with the options of all commands; `example` is its arguments after OPS. */
export function defineCommand(name: string, { summary, example }: { summary: string; example: string }) {
  return new Command(name)
    .summary(summary)
    .description(summary)
    .option('--local', 'use the service on this machine (`npm start`)')
    .option('--stack <name>', 'use a deployed stack')
    .option('--region <region>', 'AWS region of the stack (default: the configured region)')
    .option('--json', 'print one JSON document')
    .option('--debug', 'print the stack trace of a failure')
    .addHelpText('after', `\nExample:\n  $ ${OPS} ${example}`);
}

export interface CommonOptions extends OptionValues {
  readonly local?: true | undefined;
  readonly stack?: string | undefined;
  readonly region?: string | undefined;
  readonly json?: true | undefined;
  readonly dryRun?: true | undefined;
  readonly yes?: true | undefined;
  readonly out?: string | undefined;
  /** Set by the program before the command begins. */
  readonly invocation?: Invocation;
}

/** Returns a signal that Ctrl-C or SIGTERM aborts, so that a command can finish its current step. */
export function stopSignal(host: HostProcess): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) host.on(signal, () => stop.abort());
  return stop.signal;
}

/** Opens the target of the options, runs a command on it, and stores its exit code, which is 0 by default. */
export async function runCommand(
  options: CommonOptions,
  work: (session: Session) => Promise<ExitCode | void>,
): Promise<void> {
  const { invocation, dryRun = false, yes = false } = options;
  if (!invocation) throw new Error('The program did not set the invocation of the command.');
  const { host } = invocation;
  const outFile = options.out === undefined ? null : await openOutFile(options.out);
  const output = new Output(host, { json: options.json === true, dryRun }, outFile);
  try {
    const target = await openTarget(options, host.env);
    try {
      const exitCode = await work({
        ...(dryRun ? toDryTarget(target) : target),
        output,
        host,
        dryRun,
        confirm: async (question) => (yes || dryRun ? undefined : confirm(host, question)),
      });
      if (exitCode !== undefined) invocation.exitCode = exitCode;
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

/** Returns a target for a dry run: it reports every write as done, and writes nothing. */
function toDryTarget(target: Target): Target {
  const { records, accountLocks } = target.ports;
  return {
    ...target,
    ports: {
      ...target.ports,
      records: { ...records, commit: async () => true },
      accountLocks: { ...accountLocks, clearFailures: async () => undefined },
      commit: async () => ({ kind: 'committed' }),
    },
    async openEventBus() {
      await target.openEventBus();
      return async (entries) => entries.map(() => null);
    },
    rotateSigningKey: async () => ({ outcome: 'rotated' }),
  };
}

/** Opens the target of the options; throws an OperatorError unless there is exactly one and it responds. */
async function openTarget({ local, stack, region }: CommonOptions, env: HostProcess['env']): Promise<Target> {
  if ((local === true) === (stack !== undefined)) throw new OperatorError('Pass one target: --local or --stack NAME.');
  if (stack === undefined) {
    if (region !== undefined) throw new OperatorError('--region requires --stack.');
    return (await import('./targets/local-target.ts')).openLocalTarget(env);
  }
  return (await import('./targets/stack-target.ts')).openStackTarget(stack, region);
}
