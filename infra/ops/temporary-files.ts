import { rmSync } from 'node:fs';
import { EXIT } from './host-process.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const paths = new Set<string>();

/** Marks a file as temporary: it is removed when the process ends, also by a signal. */
export function addTemporaryFile(path: string): void {
  if (paths.size === 0) {
    process.on('exit', removeAll);
    for (const signal of SIGNALS) process.on(signal, endProcess);
  }
  paths.add(path);
}

/** Unmarks a temporary file because it has been renamed. */
export function releaseTemporaryFile(path: string): void {
  paths.delete(path);
  if (paths.size > 0) return;
  process.off('exit', removeAll);
  for (const signal of SIGNALS) process.off(signal, endProcess);
}

/** Removes a temporary file, if it exists. */
export function removeTemporaryFile(path: string): void {
  rmSync(path, { force: true });
  releaseTemporaryFile(path);
}

function removeAll(): void {
  for (const path of paths) rmSync(path, { force: true });
}

/** Ends the process on a signal, unless the command has a listener of its own, which ends its work first. */
function endProcess(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) === 1) process.exit(EXIT.interrupted);
}
