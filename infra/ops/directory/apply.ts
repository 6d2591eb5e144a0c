import type { DirectoryRecord } from '../../../lib/domain/directory-fields.ts';
import { collectPages } from '../../../lib/runtime/pages.ts';
import { defineCommand, dryRunOption, EXIT, runCommand, stopSignal } from '../command.ts';
import { formatCount } from '../format-count.ts';
import { readDocument } from '../read-document.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';
import type { DirectoryRecords } from '../tables/directory-records.ts';
import { keysIn, type RecordKey, toEntityKey, toKeyText } from '../tables/directory-records.ts';
import {
  changeDirectory,
  type ChangeResult,
  ConcurrentModificationError,
  type DirectoryChange,
  DirectorySnapshot,
  printChange,
} from './change-directory.ts';
import { toPasswordHash } from './passwords.ts';
import { EntryErrors, planEntry } from './plan-entry.ts';
import { type Entry, findErrors, listEntries } from './read-entries.ts';

/** `apply`: creates and changes tenants, companies, suppliers, users and API keys from a file. */
export const applyCommand = defineCommand('apply', {
  summary: 'Create and change tenants, companies, suppliers, users and API keys from a file (JSON or YAML).',
  example: 'apply infra/local/demo/directory.yaml --dry-run --local',
})
  .argument('<file>', 'the file')
  .addOption(dryRunOption)
  .action((file, options) =>
    runCommand(options, async (session) => {
      const { ports, output, host, dryRun } = session;
      const document = await readDocument(file);
      const counts = { created: 0, changed: 0, left: 0, rejected: 0 };
      const entries: object[] = [];
      const errors: string[] = [];
      const stop = stopSignal(host);
      const toDocument = () => ({ ...counts, dry_run: dryRun, entries, faults: errors });
      try {
        for await (const { path: _, ...result } of applyDirectory(ports, document, stop)) {
          if ('errors' in result) {
            counts.rejected += 1;
            errors.push(...result.errors);
            for (const error of result.errors) output.error(`rejected  ${error}`);
          } else {
            counts[result.outcome] += 1;
            entries.push(printChange(session, result));
          }
        }
      } catch (error) {
        // A generated key must be printed, whatever fails after it.
        if (entries.length > 0) output.document({ ...toDocument(), error: (error as Error).message });
        throw error;
      }
      const { created, changed, left, rejected } = counts;
      const isInvalid = entries.length === 0 && rejected > 0;
      const totals = `${created} created, ${changed} changed, ${left} left, ${rejected} rejected`;
      output.line(isInvalid ? `${formatCount(errors.length, 'error')}: nothing was written` : totals);
      output.document({ ...toDocument(), interrupted: stop.aborted });
      if (stop.aborted) {
        output.line('Interrupted. Run the command again to continue.');
        return EXIT.interrupted;
      }
      return errors.length > 0 ? EXIT.rejected : EXIT.done;
    }),
  );

/** An entry that is not applied, with every error as `path: reason`. */
interface Rejection {
  readonly path: string;
  readonly errors: readonly string[];
}

/**
 * Applies a document to the directory, and yields the result of each entry after its write. Entries that the document
 * does not contain are unchanged. If the document has errors, yields all errors, and writes nothing. An error of a write
 * rejects only its entry. `stop` ends the run between two entries.
 */
export async function* applyDirectory(
  { records, demoPassword }: Pick<AdminPorts, 'records' | 'demoPassword'>,
  document: unknown,
  stop?: AbortSignal,
): AsyncGenerator<(ChangeResult & { readonly path: string }) | Rejection> {
  const entries = [...listEntries(document)];
  const directory = new DirectorySnapshot(records);
  // Planning all entries in parallel reads what they need in a few calls. They are planned in order below.
  await Promise.allSettled(entries.map((entry) => planEntry(entry, directory)));
  const { planned, rejections } = await planEntries(entries, directory, demoPassword);
  if (rejections.length === 0) rejections.push(...(await rejectMovingSuppliers(planned, directory, records)));
  yield* rejections;
  if (rejections.length > 0) return;

  let isPlanValid = true;
  for (const { entry, change } of planned) {
    if (stop?.aborted) return;
    const plan = async (stored: DirectorySnapshot) =>
      planEntry(entry, stored, { hash: await hashPassword(entry, stored), accepted: demoPassword });
    const written = changeDirectory(records, plan, isPlanValid ? change : undefined);
    const result = await written.catch((error: unknown) => toRejection(error, entry));
    // The plans of later entries may depend on this entry.
    if ('errors' in result) isPlanValid = false;
    yield { ...result, path: entry.path };
  }
}

interface PlannedEntry {
  readonly entry: Entry;
  readonly change: DirectoryChange;
}

/** Plans entries in the order in which they must be written, each after the changes of those before it. */
async function planEntries(entries: readonly Entry[], directory: DirectorySnapshot, accepted: string | undefined) {
  const planned = new Map<string, PlannedEntry>();
  let waiting = await Promise.all(
    entries.map(async (entry) => ({ entry, password: { hash: await hashPassword(entry, directory), accepted } })),
  );
  for (;;) {
    const failed: typeof waiting = [];
    const rejections: Rejection[] = [];
    for (const { entry, password } of waiting) {
      try {
        const change = await planEntry(entry, directory, password);
        const key = toKeyText(change.changes[0].key);
        const other = planned.get(key)?.entry;
        if (other) throw new EntryErrors(`${entry.path}: is the same ${entry.kind} as ${other.path}`);
        directory.apply(change.changes);
        planned.set(key, { entry, change });
      } catch (error) {
        failed.push({ entry, password });
        rejections.push(toRejection(error, entry));
        await assumeRecord(entry, directory);
      }
    }
    // A later entry may have released what a failed entry needs, such as a login name that changes its user.
    if (failed.length === 0 || failed.length === waiting.length) return { planned: [...planned.values()], rejections };
    waiting = failed;
  }
}

/** Assumes that the record of a failed entry exists, so that its errors are not repeated for entries that refer to it. */
async function assumeRecord({ kind, tenant, value }: Entry, directory: DirectorySnapshot): Promise<void> {
  if (kind === 'user' || kind === 'api_key') return;
  const key: RecordKey = toEntityKey(kind, tenant, Object(value));
  if (!(await directory.get(key))) directory.apply([{ key, before: null, after: {} }]);
}

async function hashPassword(entry: Entry, directory: DirectorySnapshot): Promise<string | undefined> {
  const { kind, tenant, value } = entry;
  if (kind !== 'user' || findErrors(entry).length > 0 || !value.password) return undefined;
  const account = await directory.get(keysIn(tenant).account(value.user_id));
  return toPasswordHash(value.password, account?.password_hash);
}

/**
 * Rejects suppliers that would change their company while a linked user stays in the old company. The users of a tenant
 * are read only if a supplier changes its company.
 */
async function rejectMovingSuppliers(
  planned: readonly PlannedEntry[],
  directory: DirectorySnapshot,
  records: DirectoryRecords,
): Promise<Rejection[]> {
  const rejections: Rejection[] = [];
  const users: Record<string, DirectoryRecord<'user'>[]> = {};
  for (const { entry, change } of planned) {
    const { kind, path, tenant, value } = entry;
    const [{ before, after }] = change.changes;
    if (kind !== 'supplier' || !before || !after || before['company_id'] === value.company_id) continue;
    const isLeft = (user: DirectoryRecord<'user'> | null) =>
      user?.supplier_id === value.supplier_id && user.company_id !== value.company_id;
    const linked = (users[tenant] ??= await collectPages(records.pages('user', tenant))).filter(isLeft);
    // The snapshot contains the changes of this run.
    const afterRun = await Promise.all(linked.map(({ user_id: id }) => directory.get(keysIn(tenant).user(id))));
    const ids = afterRun.filter(isLeft).map((user) => user?.user_id);
    const error = `linked users would stay in the old company: ${ids.join(', ')}`;
    if (ids.length > 0) rejections.push({ path, errors: [`${path}.company_id: ${error}`] });
  }
  return rejections;
}

function toRejection(error: unknown, { path }: Entry): Rejection {
  if (error instanceof EntryErrors) return { path, errors: error.message.split('\n') };
  if (!(error instanceof ConcurrentModificationError)) throw error;
  return { path, errors: [`${path}: not changed, because others kept changing it; apply the file again`] };
}
