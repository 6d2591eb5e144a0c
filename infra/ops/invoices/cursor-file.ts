import { readFile, rename, writeFile } from 'node:fs/promises';
import { cursorText, type ExportCursor, readCursor } from '../../../lib/admin/export/export-cursor.ts';
import { OperatorError } from '../../../lib/admin/operator-error.ts';

/** A file that keeps the cursor between two exports. */
export interface CursorFile {
  /** null: there is no such file yet. */
  readonly cursor: ExportCursor | null;
  /** Replaces the cursor, whole or not at all; throws an OperatorError when that fails. */
  readonly replace: (cursor: ExportCursor) => Promise<void>;
}

/** Opens the file for the cursor of a tenant; throws an OperatorError when it holds something else. */
export async function openCursorFile(path: string, tenant: string): Promise<CursorFile> {
  const before = await readText(path);
  return {
    cursor: before === null ? null : readCursor(before, tenant),
    async replace(cursor) {
      if ((await readText(path)) !== before) {
        throw new OperatorError(`Another export has changed ${path} meanwhile, and printed the same declarations.`);
      }
      const next = `${path}.${process.pid}.tmp`;
      try {
        await writeFile(next, `${cursorText(cursor)}\n`, { flush: true });
        await rename(next, path);
      } catch (error) {
        throw new OperatorError(`The cursor cannot be written: ${(error as Error).message}`);
      }
    },
  };
}

async function readText(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new OperatorError(`The file ${path} cannot be read: ${(error as Error).message}`);
  }
}
