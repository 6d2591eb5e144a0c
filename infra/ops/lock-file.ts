import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { describeSystemError, OutputError } from './output-error.ts';
import { addTemporaryFile, removeTemporaryFile } from './temporary-files.ts';

/**
 * Takes an exclusive lock: a file with the id and the host of this process. A lock whose process has ended is replaced.
 * Returns the function that releases the lock; throws an OutputError if another process has it.
 */
export function takeLock(path: string): () => void {
  try {
    if (!createLock(path)) replaceAbandonedLock(path);
  } catch (error) {
    if (error instanceof OutputError) throw error;
    throw new OutputError(`The lock ${path} cannot be written: ${describeSystemError(error)}`, { cause: error });
  }
  return () => removeTemporaryFile(path);
}

/**
 * Removes a lock whose process has ended and takes it. Only the process that has created the second lock may remove the
 * first one: otherwise a process could remove the lock that another one has just taken over.
 */
function replaceAbandonedLock(path: string): void {
  requireAbandoned(path);
  const takeover = `${path}.takeover`;
  if (!createLock(takeover)) throw lockedError(takeover);
  try {
    requireAbandoned(path);
    rmSync(path, { force: true });
    if (!createLock(path)) throw lockedError(path);
  } finally {
    removeTemporaryFile(takeover);
  }
}

function requireAbandoned(path: string): void {
  const owner = readOwner(path);
  if (owner !== null && isRunning(owner)) throw lockedError(path, owner);
}

/** Creates a lock; false if it exists. */
function createLock(path: string): boolean {
  try {
    writeFileSync(path, `${process.pid} ${hostname()}\n`, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    // The disk can become full after the file was created.
    rmSync(path, { force: true });
    throw error;
  }
  addTemporaryFile(path);
  return true;
}

/** Reads the owner of a lock, such as `4711 erp-server`; null if the lock has been released. */
function readOwner(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** True unless the owner is a process of this host that has ended. */
function isRunning(owner: string): boolean {
  const { pid, host } = /^(?<pid>\d+) (?<host>.+)$/.exec(owner)?.groups ?? {};
  if (pid === undefined || host !== hostname()) return true;
  try {
    return process.kill(Number(pid), 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function lockedError(path: string, owner = ''): OutputError {
  const [pid, host] = owner.split(' ');
  const by = host ? ` (process ${pid} on ${host})` : '';
  return new OutputError(`Another command is running${by}. If it is not, remove ${path} and try again.`);
}
