import type { DirectoryRecord } from '../../../lib/domain/directory-fields.ts';
import { forEachConcurrent } from '../../../lib/runtime/for-each-concurrent.ts';
import { collectPages } from '../../../lib/runtime/pages.ts';
import { toKeyText } from '../../../lib/tables/dynamodb/reads.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';
import { keysIn } from '../tables/directory-records.ts';
import { changeDirectory, DirectorySnapshot } from './change-directory.ts';
import type { ChangeResult, DirectoryChange } from './change-result.ts';
import { EntryErrors, planEntry } from './plan-entry.ts';
import { type Entry, listEntries } from './read-entries.ts';

const PARALLEL_PLANS = 16;

type Ports = Pick<AdminPorts, 'records' | 'demoPassword'>;

interface PlannedEntry {
  readonly entry: Entry;
  readonly change: DirectoryChange;
}

/**
 * Applies a document to the directory, and yields the result of each entry after its write. If the document has errors,
 * yields all errors, and writes nothing. If another command has meanwhile removed what an entry refers to, yields the
 * errors of this entry and ends. `stop` ends the run between two entries.
 */
export async function* applyDirectory(
  ports: Ports,
  document: unknown,
  stop?: AbortSignal,
): AsyncGenerator<ChangeResult | EntryErrors> {
  const { plannedEntries, rejections } = await planDocument(ports, document);
  yield* rejections;
  if (rejections.length > 0) return;

  for (const { entry, change } of plannedEntries) {
    if (stop?.aborted) return;
    const plan = (directory: DirectorySnapshot) => planEntry(entry, directory, ports.demoPassword);
    try {
      yield await changeDirectory(ports.records, plan, change);
    } catch (error) {
      if (!(error instanceof EntryErrors)) throw error;
      yield error;
      // Later entries may depend on this entry.
      return;
    }
  }
}

/** Plans each entry of a document on a snapshot that contains the changes of the entries before it. */
async function planDocument(ports: Ports, document: unknown) {
  const entries = [...listEntries(document)];
  const directory = new DirectorySnapshot(ports.records);
  const plan = (entry: Entry) => planEntry(entry, directory, ports.demoPassword);
  // The first plans only read the records and hash the passwords in parallel. Their results are not used.
  await forEachConcurrent(entries, PARALLEL_PLANS, async (entry) => {
    await plan(entry).catch(() => undefined);
  });
  const plannedByKey = new Map<string, PlannedEntry>();
  const rejections: EntryErrors[] = [];
  for (const entry of entries) {
    try {
      const change = await plan(entry);
      const key = toKeyText(change.entity.key);
      const other = plannedByKey.get(key)?.entry;
      if (other) throw new EntryErrors([`${entry.path}: is the same ${entry.kind} as ${other.path}`]);
      plannedByKey.set(key, { entry, change });
      directory.apply([change.entity, ...change.relatedChanges]);
    } catch (error) {
      if (!(error instanceof EntryErrors)) throw error;
      rejections.push(error);
    }
  }
  const plannedEntries = [...plannedByKey.values()];
  if (rejections.length > 0) return { plannedEntries, rejections };

  for (const planned of plannedEntries) {
    const userIds = await findUsersLeftBehind(ports, planned, directory);
    if (userIds.length === 0) continue;
    const error = `${planned.entry.path}.company_id: linked users would stay in the old company: ${userIds.join(', ')}`;
    rejections.push(new EntryErrors([error]));
  }
  return { plannedEntries, rejections };
}

/** Finds the users that stay in the old company if their supplier moves. The snapshot contains all planned changes. */
async function findUsersLeftBehind(ports: Ports, { entry, change }: PlannedEntry, directory: DirectorySnapshot) {
  const { before } = change.entity;
  if (entry.kind !== 'supplier' || !before) return [];
  const { tenant, value: supplier } = entry;
  if (before['company_id'] === supplier.company_id) return [];
  const isLeftBehind = (user: DirectoryRecord<'user'> | null) =>
    user?.supplier_id === supplier.supplier_id && user.company_id !== supplier.company_id;
  const storedUsers = await collectPages(ports.records.pages('user', tenant));
  const candidates = storedUsers.filter(isLeftBehind);
  const plannedUsers = await Promise.all(candidates.map(({ user_id: id }) => directory.get(keysIn(tenant).user(id))));
  return plannedUsers.filter(isLeftBehind).map((user) => user?.user_id);
}
