import { readFile } from 'node:fs/promises';
import { fileErrors } from '../../../lib/client/spreadsheets/system-errors.ts';
import { lockFile } from '../../process/lock-file.ts';
import { compileSchema } from '../input/compile-schema.ts';
import { describeSystemError, OperatorError, OutputError } from '../operator-errors.ts';
import { replaceFile, resolveLinks } from '../output/out-file.ts';
import { translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import type { ExportCursor } from './export-cursor.ts';

/** A time that `Date.toISOString` has returned, such as `2026-08-31T10:30:00.000Z`. */
const timeSchema = {
  type: 'string',
  format: 'iso8601',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
} as const;

const findErrors = compileSchema({
  type: 'object',
  required: ['tenant', 'since', 'time', 'keys'],
  properties: {
    tenant: { type: 'string' },
    since: timeSchema,
    time: timeSchema,
    keys: { type: 'array', items: { type: 'string' } },
  },
});

/** Parses a cursor file. Throws an OperatorError if it is damaged, or if its cursor is of another tenant. */
export function parseCursor(text: string, tenant: string): ExportCursor {
  const document = parseJson(text);
  if (findErrors(document, '').length > 0) throw new OperatorError(translate(opsTexts.invalidCursor));
  const cursor = document as ExportCursor;
  if (cursor.tenant !== tenant) throw new OperatorError(translate(opsTexts.cursorOfOther(cursor.tenant, tenant)));
  return cursor;
}

/** Parses JSON. Returns null if it is invalid, for example because the file was truncated. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A cursor file that no other command can use until it is disposed. */
export type CursorFile = Awaited<ReturnType<typeof openCursorFile>>;

/** Locks and reads a cursor file, which can be a symbolic link. Throws an OperatorError if it cannot be used. */
export async function openCursorFile(path: string, tenant: string) {
  const { target, release } = await lockCursorFile(path);
  try {
    const text = await readCursorFile(target);
    return {
      /** The cursor in the file, or null if the file does not exist. */
      cursor: text === null ? null : parseCursor(text, tenant),
      /** Copies the file, if it exists, to a file with the ending `.previous`. */
      async writeBackup() {
        if (text !== null) await replaceFile(`${target}.previous`, text);
      },
      /** Replaces the cursor in the file. */
      save: (cursor: ExportCursor) => replaceFile(target, `${JSON.stringify(cursor, null, 1)}\n`),
      [Symbol.dispose]: release,
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** Returns the file to which links lead, and the function that releases its lock. */
async function lockCursorFile(path: string): Promise<{ target: string; release: () => void }> {
  try {
    const target = await resolveLinks(path);
    const release = lockFile(`${target}.lock`);
    if (release) return { target, release };
  } catch (error) {
    const reason = describeSystemError(error);
    throw new OutputError(translate(fileErrors.cannotWrite(`${path}.lock`, reason)), { cause: error });
  }
  // Another process has the lock.
  throw new OutputError(translate(opsTexts.isLocked));
}

/** Returns null if the file does not exist. */
async function readCursorFile(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new OperatorError(translate(fileErrors.cannotRead(path, describeSystemError(error))));
  }
}
