import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { describeFailure, type ExitCode, getExitCode, OperatorError } from './operator-errors.ts';
import { createRecorder, describeCall, type Recorder } from './operator-record.ts';
import { openOutFile } from './output/out-file.ts';
import { type HostProcess, Output } from './output/output.ts';
import { translate } from './texts/language.ts';
import type { Target } from './targets/target.ts';
import { opsTexts } from './texts/ops-texts.ts';
import { watchTarget } from './watch-target.ts';
import { type Confirm, createWriteGate } from './write-gate.ts';

export { EXIT, type ExitCode } from './operator-errors.ts';

/** The command line. With `-s`, npm does not print lines of its own. */
export const OPS = 'npm run -s ops --';

/** A run of the command line: its process, and the exit code that its command sets. */
export interface Invocation {
  readonly host: HostProcess;
  readonly args: readonly string[];
  exitCode: ExitCode;
  /** The parsed command, which the hook of createProgram in run-ops.ts sets before it runs. */
  command?: Command<unknown[]>;
}

/** The target and the output of a command, with the options that all commands treat in the same way. */
export interface Session extends ReturnType<typeof watchTarget> {
  readonly output: Output;
  readonly host: HostProcess;
  readonly dryRun: boolean;
  readonly confirm: Confirm;
}

export type CommonOptions = ReturnType<ReturnType<typeof defineCommand>['opts']> & {
  readonly dryRun?: true | undefined;
  readonly yes?: true | undefined;
  readonly out?: string | undefined;
  /** The hook of createProgram in run-ops.ts adds this property to the parsed options before the command runs. */
  readonly invocation?: Invocation;
};

export const dryRunOption = new Option('--dry-run', 'print what the command would do, and write nothing');

export const yesOption = new Option('--yes', 'do not ask for confirmation; required in scripts');

/** The option that createProgram adds to commands without a question of their own. In prod, they ask at their start. */
export const yesInProdOption = new Option(
  '--yes',
  'do not ask for confirmation, which prod needs; required there in scripts',
);

/** Defines a command with the options of all commands. `example` contains the arguments after OPS. */
export function defineCommand(name: string, { summary, example }: { summary: string; example: string }) {
  return new Command(name)
    .description(summary)
    .option('--local', 'use the service on this machine (`npm start`)')
    .option(
      '--dynamodb-port <port>',
      'port of the engine of `npm start`; requires --local (default: 8000)',
      matching(/^\d{1,5}$/, 'a port number'),
    )
    .option('--stack <name>', 'use a deployed stack')
    .option('--region <region>', 'AWS region of the stack (default: the configured region)')
    .option('--json', 'print one JSON document')
    .option('--debug', 'print the stack trace of a failure')
    .addHelpText('after', `\nExample:\n  $ ${OPS} ${example}`);
}

/** Opens the target of the options, runs a command on it, and stores its exit code, which is 0 by default. */
export async function runCommand(options: CommonOptions, work: (session: Session) => Promise<ExitCode | void>) {
  const { dryRun = false, json = false, out } = options;
  const invocation = options.invocation as Required<Invocation>;
  // The steps at the end run in the opposite order, also after an error.
  await using endSteps = new AsyncDisposableStack();
  const outFile = out === undefined ? null : await openOutFile(out);
  endSteps.defer(() => outFile?.discard());
  const output = new Output(invocation.host, { json, dryRun }, outFile);
  try {
    const { session, recorder } = await openSession(options, invocation, output, endSteps);
    const exitCode = await work(session);
    if (exitCode !== undefined) invocation.exitCode = exitCode;
    // The record is completed before the output, because a closed pipe, for example, is not a failure of the writes.
    await completeRecord(recorder, invocation, output);
    if (dryRun) output.line(translate(opsTexts.dryRun));
    await output.complete();
  } catch (error) {
    invocation.exitCode = getExitCode(error);
    output.failure(error);
    throw error;
  }
}

/** Opens the target, the gate of the writes and the record of the command. Adds the steps that close them. */
async function openSession(
  options: CommonOptions,
  invocation: Required<Invocation>,
  output: Output,
  endSteps: AsyncDisposableStack,
): Promise<{ readonly session: Session; readonly recorder: Recorder | null }> {
  const { dryRun = false, yes = false } = options;
  const { host, args, command } = invocation;
  const target = await openTarget(options, host.env);
  endSteps.defer(() => target.client.destroy());
  const gate = createWriteGate(target, { host, output, isConfirmed: yes || dryRun });
  const call = describeCall(command, args);
  // Before the first write, the recorder opens the gate, which asks for confirmation if the stage requires it.
  const recorder = dryRun ? null : createRecorder(target, call, gate.open);
  // This step completes the record after an error. If the command has completed it, this step has no effect.
  endSteps.defer(() => completeRecord(recorder, invocation, output));
  const watchedTarget = watchTarget(target, call.scope, recorder);
  // A command without a question of its own opens the gate before it starts.
  if (command.options.includes(yesInProdOption) && !dryRun) await gate.open();
  return { session: { ...watchedTarget, output, host, dryRun, confirm: gate.confirm }, recorder };
}

/** Opens the target of the options. Throws an OperatorError unless they name one target, and it responds. */
async function openTarget(options: CommonOptions, env: HostProcess['env']): Promise<Target> {
  const { local, stack, region, dynamodbPort } = options;
  const hasOneTarget = (local === true) !== (stack !== undefined);
  if (!hasOneTarget) throw new OperatorError('Pass one target: --local or --stack NAME.');
  if (stack !== undefined) {
    if (dynamodbPort !== undefined) throw new OperatorError('--dynamodb-port requires --local.');
    const { openStackTarget } = await import('./targets/stack-target.ts');
    return openStackTarget(stack, region, env);
  }
  if (region !== undefined) throw new OperatorError('--region requires --stack.');
  const { openLocalTarget } = await import('./targets/local-target.ts');
  return openLocalTarget(env, dynamodbPort);
}

/** Completes the operator record of a command. If that fails, prints a line, and the command keeps its exit code. */
async function completeRecord(recorder: Recorder | null, { exitCode }: Invocation, output: Output): Promise<void> {
  try {
    await recorder?.complete(exitCode);
  } catch (error) {
    output.note(translate(opsTexts.incompleteEntry(describeFailure(error).join(' '))));
  }
}

/** Returns an abort signal that Ctrl-C or SIGTERM triggers, so that the command can finish its current step. */
export function trapSignals(host: HostProcess): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) host.on(signal, () => stop.abort());
  return stop.signal;
}

/** Creates a parser of option values that must match a pattern, for example `matching(/^\d+$/, 'a number')`. */
export function matching(pattern: RegExp, description: string): (text: string) => string {
  return (text) => {
    if (pattern.test(text)) return text;
    throw new InvalidArgumentError(`The value must be ${description}.`);
  };
}
