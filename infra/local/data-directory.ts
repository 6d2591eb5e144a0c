import { mkdirSync, statSync } from 'node:fs';
import { StartError } from './start-error.ts';
import { printError } from '../terminal.ts';

/**
 * Makes the directory of the data, for its owner alone; one that exists stays as it is, with a warning if others may
 * look into it.
 */
export function prepareDataDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new StartError(`The data cannot be kept in ${directory}: ${(error as Error).message}.`);
  }
  // Not closed here: it may hold what others need.
  if (process.platform !== 'win32' && (statSync(directory).mode & 0o077) !== 0)
    printError(`Warning: others on this machine may look into ${directory}; to close it: chmod 700 ${directory}`);
}
