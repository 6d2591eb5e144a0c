import type { AdminPorts } from '../tables/admin-ports.ts';
import type { DirectoryRecord } from '../../../lib/domain/directory-fields.ts';
import { keysIn, type RecordKey, toEntityKey } from '../tables/record-keys.ts';
import { collectPages } from '../../../lib/runtime/pages.ts';
import type { DirectoryRecords } from '../tables/directory-records.ts';
import {
  changeDirectory,
  type ChangeResult,
  ConcurrentModificationError,
  type DirectoryChange,
  recordChanges,
} from './change-directory.ts';
import { EntryErrors, planEntry } from './plan-entry.ts';
import { collectNames, findPasswordError, toPasswordHash } from './passwords.ts';
import { type Entry, type InvalidEntry, readEntries, type Rejection } from './read-entries.ts';
import { DirectorySnapshot } from './snapshot.ts';

/** The result of an entry; `path` is its location in the file. */
type AppliedEntry = ChangeResult & { readonly path: string };

/**
 * Applies a document to the directory, and yields the result of each entry after its write. Entries that the document
 * does not contain are unchanged. If the document has errors, yields all errors, and writes nothing. An error of a write
 * rejects only its entry. `stop` ends the run between two entries.
 */
export async function* applyDirectory(
  { records, demoPassword }: Pick<AdminPorts, 'records' | 'demoPassword'>,
  document: unknown,
  stop?: AbortSignal,
): AsyncGenerator<AppliedEntry | Rejection> {
  const { entries, rejections: invalid } = readEntries(document);
  const directory = new DirectorySnapshot(records);
  // Planning all entries in parallel reads what they need in a few calls. They are planned in order below.
  await Promise.allSettled(entries.map((entry) => planEntry(entry, directory)));
  await assumeReferences(invalid, directory);
  const moving = await rejectMovingSuppliers(entries, directory, records);
  const { planned, rejections } = await planEntries(entries, directory);
  const guessable = await Promise.all(planned.map(({ entry }) => rejectPassword(entry, directory, demoPassword)));
  const rejected = [...invalid, ...moving, ...rejections, ...guessable.flat()];
  yield* rejected.map(({ path, errors }) => ({ path, errors }));
  if (rejected.length > 0) return;

  let isPlanValid = true;
  for (const { entry, change } of planned) {
    if (stop?.aborted) return;
    const plan = async (stored: DirectorySnapshot) => planEntry(entry, stored, await hashPassword(entry, stored));
    const written = changeDirectory(records, plan, isPlanValid ? change : undefined);
    const result = await written.catch((error: unknown) => ({ errors: toErrors(error, entry) }));
    // The plans of later entries may depend on this entry.
    if ('errors' in result) isPlanValid = false;
    yield { ...result, path: entry.path };
  }
}

/** Plans entries in the order in which they must be written, each after the changes of those before it. */
async function planEntries(entries: readonly Entry[], directory: DirectorySnapshot) {
  const hashes = new Map(
    await Promise.all(entries.map(async (entry) => [entry, await hashPassword(entry, directory)] as const)),
  );
  const planned: { readonly entry: Entry; readonly change: DirectoryChange }[] = [];
  let waiting = entries;
  for (;;) {
    const failed: Entry[] = [];
    const rejections: Rejection[] = [];
    for (const entry of waiting) {
      try {
        const change = await planEntry(entry, directory, hashes.get(entry));
        directory.apply(recordChanges(change));
        planned.push({ entry, change });
      } catch (error) {
        failed.push(entry);
        rejections.push({ path: entry.path, errors: toErrors(error, entry) });
      }
    }
    // A later entry may have released what a failed entry needs, such as a login name that changes its user.
    if (failed.length === 0 || failed.length === waiting.length) return { planned, rejections };
    waiting = failed;
  }
}

async function hashPassword({ kind, tenant, value }: Entry, directory: DirectorySnapshot): Promise<string | undefined> {
  if (kind !== 'user' || !value.password) return undefined;
  const account = await directory.get(keysIn(tenant).account(value.user_id));
  return toPasswordHash(value.password, account?.password_hash);
}

/** Checks the password of an entry with the names that its user has after the run. */
async function rejectPassword(
  { kind, path, tenant, value }: Entry,
  directory: DirectorySnapshot,
  accepted: string | undefined,
): Promise<Rejection[]> {
  if (kind !== 'user' || !value.password || value.password === accepted) return [];
  const keys = keysIn(tenant);
  const user = await directory.get(keys.user(value.user_id));
  const company = await directory.get(keys.company(value.company_id));
  const error = user && findPasswordError(value.password, collectNames(tenant, user, company));
  return error ? [{ path, errors: [`${path}.password: ${error}`] }] : [];
}

/**
 * Rejects suppliers that would change their company while a linked user stays in the old company. A user that the file
 * also contains is checked by its own entry. The users of a tenant are read only if a supplier changes its company.
 */
async function rejectMovingSuppliers(
  entries: readonly Entry[],
  directory: DirectorySnapshot,
  records: DirectoryRecords,
): Promise<Rejection[]> {
  const named = new Set(entries.map(({ kind, tenant, value }) => kind === 'user' && `${tenant} ${value.user_id}`));
  const users = new Map<string, readonly DirectoryRecord<'user'>[]>();
  const rejections: Rejection[] = [];
  for (const { kind, path, tenant, value } of entries) {
    if (kind !== 'supplier') continue;
    const stored = await directory.get(keysIn(tenant).supplier(value.supplier_id));
    if (!stored || stored.company_id === value.company_id) continue;
    const linked = users.get(tenant) ?? (await collectPages(records.pages('user', tenant)));
    users.set(tenant, linked);
    const left = linked.filter(
      ({ user_id: userId, company_id: companyId, supplier_id: supplierId }) =>
        supplierId === value.supplier_id && companyId !== value.company_id && !named.has(`${tenant} ${userId}`),
    );
    if (left.length === 0) continue;
    const ids = left.map(({ user_id: userId }) => userId).join(', ');
    rejections.push({ path, errors: [`${path}.company_id: linked users would stay in the old company: ${ids}`] });
  }
  return rejections;
}

/** Assumes that the records of invalid entries exist, so that their errors are not repeated for entries that refer to them. */
async function assumeReferences(invalid: readonly InvalidEntry[], directory: DirectorySnapshot): Promise<void> {
  for (const { kind, tenant, value } of invalid) {
    if (kind === 'user' || kind === 'api_key') continue;
    const key: RecordKey = toEntityKey(kind, tenant, Object(value));
    if (!(await directory.get(key))) directory.apply([{ key, before: null, after: {} }]);
  }
}

function toErrors(error: unknown, { path }: Entry): readonly string[] {
  if (error instanceof EntryErrors) return error.message.split('\n');
  if (error instanceof ConcurrentModificationError) return [`${path}: ${error.reason}`];
  throw error;
}
