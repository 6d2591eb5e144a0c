import type { DirectoryRecord } from '../../../lib/domain/directory-fields.ts';
import { collectPages } from '../../../lib/runtime/pages.ts';
import { defineCommand, dryRunOption, EXIT, runCommand, stopSignal, formatCount } from '../command.ts';
import { readDocument } from '../input/read-yaml.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';
import { type DirectoryRecords, keysIn, toKeyText } from '../tables/directory-records.ts';
import {
  changeDirectory,
  type ChangeResult,
  ConcurrentModificationError,
  type DirectoryChange,
  DirectorySnapshot,
  printChange,
} from './change-directory.ts';
import { toPasswordHash } from './password-rules.ts';
import { EntryErrors, planEntry } from './plan-entry.ts';
import { type Entry, type EntryOf, findErrors, listEntries } from './read-entries.ts';

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
  { records, demoPassword: accepted }: Pick<AdminPorts, 'records' | 'demoPassword'>,
  document: unknown,
  stop?: AbortSignal,
): AsyncGenerator<(ChangeResult & { readonly path: string }) | Rejection> {
  const entries = [...listEntries(document)];
  const directory = new DirectorySnapshot(records);
  // Planning all entries in parallel reads what they need in a few calls. They are planned in order below.
  await Promise.allSettled(entries.map((entry) => planEntry(entry, directory)));
  const hashes = await Promise.all(entries.map((entry) => hashPassword(entry, directory)));
  const planned = new Map<string, { readonly entry: Entry; readonly change: DirectoryChange }>();
  const rejections: Rejection[] = [];
  for (const [index, entry] of entries.entries()) {
    try {
      const change = await planEntry(entry, directory, { hash: hashes[index], accepted });
      const key = toKeyText(change.changes[0].key);
      const other = planned.get(key)?.entry;
      if (other) throw new EntryErrors(`${entry.path}: is the same ${entry.kind} as ${other.path}`);
      planned.set(key, { entry, change });
      // Later entries are planned after this one.
      directory.apply(change.changes);
    } catch (error) {
      rejections.push(toRejection(error, entry));
    }
  }
  if (rejections.length === 0) {
    for (const { entry, change } of planned.values()) {
      const [{ before }] = change.changes;
      const isMove = entry.kind === 'supplier' && before && before['company_id'] !== entry.value.company_id;
      if (isMove) rejections.push(...(await rejectMove(entry, directory, records)));
    }
  }
  yield* rejections;
  if (rejections.length > 0) return;

  let isPlanValid = true;
  for (const { entry, change } of planned.values()) {
    if (stop?.aborted) return;
    const plan = async (stored: DirectorySnapshot) =>
      planEntry(entry, stored, { hash: await hashPassword(entry, stored), accepted });
    const written = changeDirectory(records, plan, isPlanValid ? change : undefined);
    const result = await written.catch((error: unknown) => toRejection(error, entry));
    // The plans of later entries may depend on this entry.
    if ('errors' in result) isPlanValid = false;
    yield { ...result, path: entry.path };
  }
}

async function hashPassword(entry: Entry, directory: DirectorySnapshot): Promise<string | undefined> {
  const { kind, tenant, value } = entry;
  if (kind !== 'user' || findErrors(entry).length > 0 || !value.password) return undefined;
  const account = await directory.get(keysIn(tenant).account(value.user_id));
  return toPasswordHash(value.password, account?.password_hash);
}

/** Rejects a supplier that would change its company while a linked user stays in the old company. */
async function rejectMove(
  { path, tenant, value }: EntryOf<'supplier'>,
  directory: DirectorySnapshot,
  records: DirectoryRecords,
): Promise<Rejection[]> {
  const isLeft = (user: DirectoryRecord<'user'> | null) =>
    user?.supplier_id === value.supplier_id && user.company_id !== value.company_id;
  const linked = (await collectPages(records.pages('user', tenant))).filter(isLeft);
  // The snapshot contains the changes of this run.
  const users = await Promise.all(linked.map(({ user_id: id }) => directory.get(keysIn(tenant).user(id))));
  const left = users.filter(isLeft).map((user) => user?.user_id);
  if (left.length === 0) return [];
  return [{ path, errors: [`${path}.company_id: linked users would stay in the old company: ${left.join(', ')}`] }];
}

function toRejection(error: unknown, { path }: Entry): Rejection {
  if (error instanceof EntryErrors) return { path, errors: error.message.split('\n') };
  if (!(error instanceof ConcurrentModificationError)) throw error;
  return { path, errors: [`${path}: not changed, because others kept changing it; apply the file again`] };
}
