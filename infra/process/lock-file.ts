import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

// The error code of SQLite for a database that another process has locked.
const SQLITE_BUSY = 5;

/**
 * Locks a file, which is created if it does not exist. Returns the function that releases the lock, or null if another
 * process has the lock. Node has no file locks, so this is an SQLite lock, which also ends with the process.
 */
export function lockFile(path: string): (() => void) | null {
  // SQLite would create a file that other users can read, and therefore lock.
  closeSync(openSync(path, 'a', 0o600));
  const database = new DatabaseSync(path);
  try {
    // Nothing is written, so SQLite does not need a journal file.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return () => database.close();
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return null;
    throw error;
  }
}
