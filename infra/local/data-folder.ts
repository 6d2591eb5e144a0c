import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { lockFile } from '../process/lock-file.ts';
import { CommandError } from '../process/terminal.ts';

/**
 * Creates a folder with access for its owner only, unless it exists, and locks it with a file. Returns the function that
 * releases the lock. Throws a CommandError if another service has locked the folder, or if it cannot be created.
 */
export function lockDataFolder(folder: string): () => void {
  const releaseLock = tryLock(folder);
  if (releaseLock !== null) return releaseLock;
  throw new CommandError(`The data in ${folder} are in use by another npm start. Stop it, or use another folder.`);
}

function tryLock(folder: string): (() => void) | null {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return lockFile(join(folder, 'in-use.sqlite'));
  } catch (error) {
    const { message } = error as Error;
    throw new CommandError(`The data cannot be kept in ${folder}: ${message}. Use another folder: --data DIR.`);
  }
}
