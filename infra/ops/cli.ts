import { createWriteStream, fstatSync } from 'node:fs';
import { enableCompileCache } from 'node:module';

// When standard output is a file, process.stdout ignores that only a part of a text was written. A WriteStream does not.
const stdout = fstatSync(1).isFile() ? createWriteStream('', { fd: 1 }) : process.stdout;
// A failed write to standard error cannot be reported.
process.stderr.on('error', () => undefined);

// What is loaded from here on starts in two thirds of the time, from the second run on.
enableCompileCache();
const { runOps } = await import('./run-ops.ts');

const { env, stdin, stderr } = process;
process.exitCode = await runOps(process.argv.slice(2), { env, stdin, stdout, stderr, on: process.on.bind(process) });
