import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { EXIT } from './exit.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const paths = new Set<string>();

/** Marks a file as temporary: it is removed when the process ends, also after a signal. Call this before creating it. */
export function addTemporaryFile(path: string): void {
  if (paths.size === 0) listen();
  paths.add(path);
}

/** Unmarks a temporary file because it has been renamed or was never created. */
export function releaseTemporaryFile(path: string): void {
  paths.delete(path);
  if (paths.size === 0) stopListening();
}

/** Removes a temporary file. */
export async function removeTemporaryFile(path: string): Promise<void> {
  await rm(path, { force: true });
  releaseTemporaryFile(path);
}

function listen(): void {
  process.on('exit', removeAll);
  for (const signal of SIGNALS) process.on(signal, endProcess);
}

function stopListening(): void {
  process.off('exit', removeAll);
  for (const signal of SIGNALS) process.off(signal, endProcess);
}

function removeAll(): void {
  for (const path of paths) rmSync(path, { force: true });
}

/** Ends the process on a signal, unless the command has a listener of its own that ends its work first. */
function endProcess(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) === 1) process.exit(EXIT.interrupted);
}
