import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { lockFile } from '../process/lock-file.ts';
import { CommandError, printError } from '../process/terminal.ts';

/**
 * Creates the folder of the data with access for its owner only, and locks it until the returned function is called
 * or this process ends. Does not change the permissions of an existing folder, but warns if others can read it.
 */
export function lockDataFolder(folder: string): () => void {
  let releaseLock: (() => void) | null;
  try {
    createFolder(resolve(folder));
    releaseLock = lockFile(join(folder, 'in-use.sqlite'));
  } catch (error) {
    const reason = describeError(error as NodeJS.ErrnoException, folder);
    throw new CommandError(`${reason} Use another folder: --data DIR.`);
  }
  if (releaseLock === null)
    throw new CommandError(`The data in ${folder} are in use by another npm start. Stop it, or use another folder.`);
  // The permissions stay unchanged, because another user can need files in the folder.
  if (process.platform !== 'win32' && (statSync(folder).mode & 0o077) !== 0)
    printError(`Warning: other users of this machine have access to ${folder}. To prevent it: chmod 700 ${folder}`);
  return releaseLock;
}

/** Creates a folder and its parents. With the option `recursive`, Node hangs if no parent can be created, as in /proc. */
function createFolder(path: string): void {
  if (existsSync(path) && statSync(path).isDirectory()) return;
  if (!existsSync(dirname(path))) createFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

function describeError({ code = '', message }: NodeJS.ErrnoException, folder: string): string {
  if (['EACCES', 'EPERM', 'EROFS'].includes(code)) return `You have no permission to write into ${folder}.`;
  const reason = ['EEXIST', 'ENOTDIR'].includes(code) ? 'that path, or a folder above it, is a file' : message;
  return `The data cannot be kept in ${folder}: ${reason}.`;
}
