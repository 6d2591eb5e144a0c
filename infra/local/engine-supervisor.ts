/** Runs the command in its arguments, which starts the engine. Ends the engine when the parent ends or disconnects. */
import { spawn } from 'node:child_process';
import { printError } from '../process/terminal.ts';

// Only the owner can read the files that the engine writes.
process.umask(0o077);
const [binary, ...args] = process.argv.slice(2) as [string, ...string[]];
const engine = spawn(binary, args, { stdio: ['ignore', 'ignore', 'inherit'] });
engine.once('error', (error) => {
  printError(error.message);
  process.exit(1);
});
engine.once('exit', (code, signal) => {
  // The service prints this line after "The engine has ended with code 1.".
  if (signal !== null) printError(`It was ended by ${signal}.`);
  process.exit(code ?? 1);
});
// The IPC channel to the parent, which engine.ts opens, closes when the parent ends, even by SIGKILL.
process.once('disconnect', () => engine.kill());
