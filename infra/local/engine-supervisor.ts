/**
 * Runs the engine given on the command line, tells its process id, and ends it when the process that started this one
 * is gone, however it went.
 */
import { spawn } from 'node:child_process';
import { printError } from '../terminal.ts';

// The files that the engine writes are for their owner alone.
process.umask(0o077);
const [binary, ...args] = process.argv.slice(2) as [string, ...string[]];
const engine = spawn(binary, args, { stdio: ['ignore', 'ignore', 'inherit'] });
engine.once('spawn', () => process.send?.(engine.pid));
engine.once('error', (error) => {
  printError(error.message);
  process.exit(1);
});
engine.once('exit', (code, signal) => {
  if (signal !== null) printError(`It was ended by ${signal}.`);
  process.exit(code ?? 1);
});
process.once('disconnect', () => engine.kill());
