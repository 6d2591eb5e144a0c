import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CommandError, printError } from '../terminal.ts';

/**
 * Makes the directory of the data, for its owner alone, and keeps every other process from it until the function that
 * it gives is called, or this process ends in whatever way. One that exists stays as it is, with a warning if others
 * may look into it.
 */
export function takeDataDirectory(directory: string): () => void {
  try {
    makeDirectory(resolve(directory));
    accessSync(directory, constants.W_OK);
  } catch (error) {
    throw new CommandError(`${reasonOf(error as NodeJS.ErrnoException, directory)} Name another one: --data DIR.`);
  }
  // Not closed here: it may hold what others need.
  if (process.platform !== 'win32' && (statSync(directory).mode & 0o077) !== 0)
    printError(`Warning: others on this machine may look into ${directory}; to close it: chmod 700 ${directory}`);
  return lock(directory);
}

/** One folder after the other: where the system has none to give, as in /proc, Node's own recursion never ends. */
function makeDirectory(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (!existsSync(dirname(path))) makeDirectory(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

function reasonOf({ code, message }: NodeJS.ErrnoException, directory: string): string {
  if (code === 'EEXIST' || code === 'ENOTDIR') return `The data cannot be kept in ${directory}: that is a file.`;
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return `You may not write into ${directory}.`;
  return `The data cannot be kept in ${directory}: ${message}.`;
}

/** The system gives a lock of a database back when its process has ended, however it went. */
function lock(directory: string): () => void {
  const file = join(directory, 'in-use.sqlite');
  try {
    closeSync(openSync(file, 'a', 0o600));
    const database = new DatabaseSync(file);
    database.exec('BEGIN EXCLUSIVE');
    return () => database.close();
  } catch (error) {
    const { message } = error as Error;
    if (message !== 'database is locked')
      throw new CommandError(`The data cannot be kept in ${directory}: ${message}.`);
    throw new CommandError(`The data in ${directory} are in use by another npm start. End it, or name another folder.`);
  }
}
