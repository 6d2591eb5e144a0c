import { isDeepStrictEqual } from 'node:util';
import { type DirectoryRecords, keysIn, type RecordKey } from '../../../infra/ops/tables/directory-records.ts';
import { toKeyText } from '../../../lib/tables/dynamodb/reads.ts';
import type { Attributes } from '../../../lib/tables/dynamodb/reads.ts';

/** Creates a directory in memory with the functions that `apply` uses. A write has the conditions of the table. */
export function createMemoryDirectory() {
  const items = new Map<string, Attributes>();
  const get = (key: RecordKey) => items.get(toKeyText(key)) ?? null;

  const records = {
    read: async (keys: readonly RecordKey[]) => keys.map(get),
    async *pages(kind: 'user', tenant: string) {
      const prefix = toKeyText(keysIn(tenant)[kind](''));
      yield [...items].flatMap(([key, item]) => (key.startsWith(prefix) ? [item] : []));
    },
    async commit(entity, relatedChanges = []) {
      const changes = [entity, ...relatedChanges];
      const isUnchanged = changes.every(({ key, before }) => {
        const stored = get(key);
        if (!before || !stored) return !before && !stored;
        return Object.entries(before).every(([name, value]) => isDeepStrictEqual(stored[name], value));
      });
      if (!isUnchanged) return false;
      for (const { key, after } of changes) {
        if (after === null) items.delete(toKeyText(key));
        else if (after) items.set(toKeyText(key), { ...get(key), ...after });
      }
      return true;
    },
  } as Pick<DirectoryRecords, 'commit'> as DirectoryRecords;

  return {
    records,
    get,
    /** Changes attributes of a record, as a command or a login does. */
    change: (key: RecordKey, changes: object) => void items.set(toKeyText(key), { ...get(key), ...changes }),
  };
}
