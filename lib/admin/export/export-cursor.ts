import { OperatorError } from '../operator-error.ts';

/** How far the declarations of a tenant were exported: the number of the latest entry of each shard of their log. */
export interface ExportCursor {
  readonly tenant: string;
  readonly numbers: readonly number[];
}

const CURSOR = /^1:(?<tenant>[^:]+):(?<numbers>\d{1,15}(?:\.\d{1,15})*)$/;

/** A cursor as it is printed: one word. */
export function cursorText({ tenant, numbers }: ExportCursor): string {
  return `1:${tenant}:${numbers.join('.')}`;
}

/** Whether a text looks like a cursor; a date never does. */
export const isCursor = (text: string) => /^\d+:[^:]*:/.test(text);

/** Reads a printed cursor; throws an OperatorError when it is none of this tenant. */
export function readCursor(text: string, tenant: string): ExportCursor {
  const { tenant: owner, numbers } = CURSOR.exec(text.trim())?.groups ?? {};
  if (!owner || !numbers) throw new OperatorError('The cursor is not one that export-declarations has printed.');
  if (owner !== tenant) throw new OperatorError(`The cursor is of ${owner}, not of ${tenant}.`);
  return { tenant, numbers: numbers.split('.').map(Number) };
}
