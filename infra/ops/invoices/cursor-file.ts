import { readFile } from 'node:fs/promises';
import { cursorText, type ExportCursor, readCursor } from '../../../lib/admin/export/export-cursor.ts';
import { OperatorError } from '../../../lib/admin/operator-error.ts';
import { takeLock } from '../lock-file.ts';
import { replaceFile, resolveLinks } from '../out-file.ts';
import { describeSystemError, OutputError } from '../output-error.ts';

/** A file that keeps the cursor between two exports, locked for this process. */
export interface CursorFile {
  /** null: the file does not exist yet. */
  readonly cursor: ExportCursor | null;
  /** Replaces the cursor, completely or not at all; throws an OutputError if that fails. */
  readonly replace: (cursor: ExportCursor) => Promise<void>;
  /** Releases the lock. */
  readonly close: () => void;
}

/**
 * Opens the file for the cursor of a tenant. Throws an OutputError if another export has it or if it cannot be written,
 * and an OperatorError if its content is not a cursor of the tenant.
 */
export async function openCursorFile(path: string, tenant: string): Promise<CursorFile> {
  const target = await resolveLinks(path).catch((error: unknown) => {
    throw new OutputError(`The cursor file ${path} cannot be written: ${describeSystemError(error)}`);
  });
  // The lock is beside the cursor: where it can be created, so can the next cursor.
  const close = takeLock(`${target}.lock`);
  try {
    const text = await readText(target);
    return {
      cursor: text === null ? null : readCursor(text, tenant),
      replace: (cursor) => replaceFile(target, `${cursorText(cursor)}\n`),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

async function readText(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new OperatorError(`The file ${path} cannot be read: ${describeSystemError(error)}`);
  }
}
