import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { join, relative } from 'node:path';
import { StartError } from '../start-error.ts';

/**
 * Tells of every file that changes in these folders of a root, by its path in it; until it is closed. A watcher for
 * each folder: the recursive one of Node loses files on Linux that an editor has replaced.
 */
export function watchFolders(
  root: string,
  folders: readonly string[],
  tell: (path: string) => void,
): { readonly close: () => void } {
  const watchers = new Map<string, FSWatcher>();
  const add = (folder: string) => {
    if (!watchers.has(folder)) watchers.set(folder, open(folder));
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (entry.isDirectory()) add(join(folder, entry.name));
  };
  const open = (folder: string) =>
    watch(folder, (event, name) => {
      if (name === null) return;
      tell(relative(root, join(folder, name)).replaceAll('\\', '/'));
      if (event === 'rename') renew(join(folder, name));
    }).on('error', () => remove(folder));
  const remove = (folder: string) => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  // A new folder: what is in it may have come before its watcher. One of this name may have been there before.
  const renew = (path: string) => {
    remove(path);
    try {
      for (const name of readdirSync(path, { recursive: true })) tell(relative(root, join(path, String(name))));
      add(path);
    } catch {
      // It is a file, or has gone.
    }
  };

  try {
    for (const folder of folders) add(join(root, folder));
  } catch (error) {
    for (const folder of watchers.keys()) remove(folder);
    throw new StartError(`Changes cannot be watched: ${(error as Error).message}.`);
  }
  return { close: () => [...watchers.keys()].forEach(remove) };
}
