import { createWriteStream, fstatSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { EXIT } from './operator-errors.ts';

const { env, stdin, stderr } = process;
const STDOUT_FD = 1;
// If standard output is a file, process.stdout ignores a partial write, for example on a full disk.
const isFile = fstatSync(STDOUT_FD).isFile();
// A stream of a file descriptor ignores its path.
const stdout = isFile ? createWriteStream('', { fd: STDOUT_FD }) : process.stdout;
// A failed write to standard error cannot be reported.
stderr.on('error', () => undefined);

// process.exit calls the listeners that remove temporary files. A command that calls trapSignals ends its current step instead.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    const isOnlyListener = process.listenerCount(signal) === 1;
    if (isOnlyListener) process.exit(EXIT.interrupted);
  });
}

// The cache shortens the start by a third, but only for modules that are imported after this call.
enableCompileCache();
const { runOps } = await import('./run-ops.ts');

const { locale } = Intl.DateTimeFormat().resolvedOptions();
const on = process.on.bind(process);
process.exitCode = await runOps(process.argv.slice(2), { env, locale, stdin, stdout, stderr, on });
