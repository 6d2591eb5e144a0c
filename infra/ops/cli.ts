import { createWriteStream, fstatSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { EXIT } from './operator-errors.ts';

// If standard output is a file, process.stdout ignores a partial write, for example on a full disk.
const stdout = fstatSync(1).isFile() ? createWriteStream('', { fd: 1 }) : process.stdout;
// A failed write to standard error cannot be reported.
process.stderr.on('error', () => undefined);

// A signal ends the process by an exit, which removes temporary files, unless a command also listens to the signal.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (process.listenerCount(signal) === 1) process.exit(EXIT.interrupted);
  });
}

// Shortens the loading of the modules below by a third, except in the first run.
enableCompileCache();
const { runOps } = await import('./run-ops.ts');

const { env, stdin, stderr } = process;
const { locale } = Intl.DateTimeFormat().resolvedOptions();
const on = process.on.bind(process);
process.exitCode = await runOps(process.argv.slice(2), { env, locale, stdin, stdout, stderr, on });
