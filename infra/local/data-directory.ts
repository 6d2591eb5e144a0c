import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { lockFile } from '../process/lock-file.ts';
import { CommandError, printError } from '../process/terminal.ts';

/**
 * Creates the directory of the data with access for its owner only, and locks it until the returned function is called
 * or this process ends. Does not change the permissions of an existing directory, but warns if others can read it.
 */
export function lockDataDirectory(directory: string): () => void {
  let releaseLock: (() => void) | null;
  try {
    createDirectory(resolve(directory));
    releaseLock = lockFile(join(directory, 'in-use.sqlite'));
  } catch (error) {
    const reason = describeError(error as NodeJS.ErrnoException, directory);
    throw new CommandError(`${reason} Use another folder: --data DIR.`);
  }
  if (releaseLock === null)
    throw new CommandError(`The data in ${directory} are in use by another npm start. Stop it, or use another folder.`);
  // The permissions stay unchanged, because other users may need files in the directory.
  if (process.platform !== 'win32' && (statSync(directory).mode & 0o077) !== 0)
    printError(
      `Warning: other users of this machine have access to ${directory}. To prevent it: chmod 700 ${directory}`,
    );
  return releaseLock;
}

/** Creates a directory and its parents. With `recursive`, Node hangs if no parent can be created, as in /proc. */
function createDirectory(path: string): void {
  if (existsSync(path) && statSync(path).isDirectory()) return;
  if (!existsSync(dirname(path))) createDirectory(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

function describeError({ code = '', message }: NodeJS.ErrnoException, directory: string): string {
  if (['EACCES', 'EPERM', 'EROFS'].includes(code)) return `You have no permission to write into ${directory}.`;
  const reason = ['EEXIST', 'ENOTDIR'].includes(code) ? 'that path, or a folder above it, is a file' : message;
  return `The data cannot be kept in ${directory}: ${reason}.`;
}
