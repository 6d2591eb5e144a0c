import { CommanderError } from '@commander-js/extra-typings';
import { OperatorError } from '../../lib/admin/operator-error.ts';
import { printError } from '../terminal.ts';
import { EXIT, type ExitCode, type Invocation } from './command.ts';
import { NotConfirmed } from './confirm.ts';
import type { HostProcess } from './host-process.ts';
import { printable } from '../printable.ts';
import { createProgram } from './program.ts';
import { styleOf } from '../styles.ts';

/** Runs the operators' command line with these arguments; gives the exit code. */
export async function runOps(args: readonly string[], host: HostProcess): Promise<ExitCode> {
  const invocation: Invocation = { host, exitCode: EXIT.done };
  try {
    await createProgram(invocation).parseAsync(args, { from: 'user' });
    return invocation.exitCode;
  } catch (error) {
    return failureOf(error, host, args.includes('--json'));
  }
}

function failureOf(error: unknown, { stderr, env }: HostProcess, isForScripts: boolean): ExitCode {
  const style = isForScripts ? (_: unknown, text: string) => text : styleOf(stderr, env);
  const tell = (text: string) => printError(style('red', printable(text)), stderr);
  // The parser has said already what was wrong, or what was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.wrongUse;
  if (error instanceof OperatorError) {
    for (const line of error.message.split('\n')) tell(line);
    return EXIT.wrongUse;
  }
  if (error instanceof NotConfirmed) {
    tell(error.message);
    return EXIT.interrupted;
  }
  tell(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  return EXIT.failed;
}
