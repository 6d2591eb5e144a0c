import { inspect } from 'node:util';
import { CommanderError } from '@commander-js/extra-typings';
import { OperatorError } from '../../lib/admin/operator-error.ts';
import { printError } from '../terminal.ts';
import { EXIT, type ExitCode, type Invocation } from './command.ts';
import { NotConfirmed } from './confirm.ts';
import { describeFailure } from './describe-failure.ts';
import type { HostProcess } from './host-process.ts';
import { printable } from '../printable.ts';
import { createProgram } from './program.ts';
import { ResultStream } from './result-stream.ts';
import { type Style, styleOf } from '../styles.ts';

/** Runs the operators' command line with these arguments; returns the exit code. */
export async function runOps(args: readonly string[], host: HostProcess): Promise<ExitCode> {
  const invocation: Invocation = { host, exitCode: EXIT.done };
  const result = new ResultStream(host.stdout);
  try {
    await createProgram(invocation).parseAsync(args, { from: 'user' }).catch(ignoreHelp);
    await result.flush();
    return invocation.exitCode;
  } catch (error) {
    return reportFailure(error, host, { isPlain: args.includes('--json'), isDebug: args.includes('--debug') });
  }
}

/** Ignores the error with which the parser ends after it has printed the help or the version. */
function ignoreHelp(error: unknown): void {
  if (!(error instanceof CommanderError && error.exitCode === 0)) throw error;
}

function reportFailure(
  error: unknown,
  { stderr, env }: HostProcess,
  { isPlain, isDebug }: { readonly isPlain: boolean; readonly isDebug: boolean },
): ExitCode {
  const style: Style = isPlain ? (_, text) => text : styleOf(stderr, env);
  // The parser has printed its errors already.
  if (error instanceof CommanderError) return EXIT.wrongUse;
  for (const line of describeFailure(error)) printError(style('red', printable(line)), stderr);
  if (isDebug) printError(inspect(error).split('\n').map(printable).join('\n'), stderr);
  if (error instanceof OperatorError) return EXIT.wrongUse;
  return error instanceof NotConfirmed ? EXIT.interrupted : EXIT.failed;
}
