import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { OperatorError } from '../../../lib/admin/operator-error.ts';
import type { Transform } from '../../../lib/admin/tables/copy-table.ts';

/** What the default export of this module makes of an item; without a module, the item itself. */
export async function readTransform(file: string | undefined): Promise<Transform> {
  if (file === undefined) return (item) => item;
  const loaded = (await import(pathToFileURL(resolve(file)).href).catch((error: Error) => {
    throw new OperatorError(`${file} cannot be loaded: ${error.message}`);
  })) as { default?: unknown };
  if (typeof loaded.default !== 'function') throw new OperatorError(`${file} has no function as its default export.`);
  return loaded.default as Transform;
}
