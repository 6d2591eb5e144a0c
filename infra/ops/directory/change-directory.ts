import { limitedAttempts } from '../../../lib/runtime/attempts.ts';
import type { DirectoryRecords } from '../tables/directory-records.ts';
import { buildResult, type ChangeResult, type DirectoryChange, hasWrites } from './change-result.ts';
import { DirectorySnapshot } from './directory-snapshot.ts';

/**
 * Plans a change, and writes it if its records are still as they were read. After a conflict, reads and plans again. The
 * first attempt writes `planned`, if it is passed. Throws an error if every attempt has a conflict.
 */
export async function changeDirectory(
  records: DirectoryRecords,
  plan: (directory: DirectorySnapshot) => Promise<DirectoryChange>,
  planned?: DirectoryChange,
): Promise<ChangeResult> {
  for await (const attempt of limitedAttempts({ maxAttempts: 6, firstMs: 100, longestMs: 100 })) {
    const change = attempt === 1 && planned ? planned : await plan(new DirectorySnapshot(records));
    const isDone = !hasWrites(change) || (await records.commit(change.entity, change.relatedChanges));
    if (isDone) return buildResult(change);
  }
  throw new Error('Nothing was changed: others kept changing the records. Run the command again.');
}
