import { enableCompileCache } from 'node:module';
import { CommanderError } from '@commander-js/extra-typings';
import { printError } from '../terminal.ts';
import { EXIT, type ExitCode } from './command.ts';
import { printable } from './printable.ts';
import { OperatorError } from '../../lib/admin/operator-error.ts';

// Whoever reads the output may have seen enough, as `head` has.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

// What is loaded from here on starts in two thirds of the time, from the second run on.
enableCompileCache();
const { createProgram } = await import('./program.ts');

try {
  await createProgram().parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}

function exitCodeOf(error: unknown): ExitCode {
  // The parser has said already what was wrong, or what was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.wrongUse;
  if (error instanceof OperatorError) {
    for (const line of error.message.split('\n')) printError(printable(line));
    return EXIT.wrongUse;
  }
  printError(error instanceof Error ? printable(`${error.name}: ${error.message}`) : error);
  return EXIT.failed;
}
