import type { DirectoryRecord } from '../../../lib/domain/directory-fields.ts';
import { forEachConcurrent } from '../../../lib/runtime/for-each-concurrent.ts';
import { collectPages } from '../../../lib/runtime/pages.ts';
import { toKeyText } from '../../../lib/tables/dynamodb/reads.ts';
import { defineCommand, dryRunOption, EXIT, formatCount, runCommand, type Session, stopSignal } from '../command.ts';
import { readDocument } from '../input/read-yaml.ts';
import type { AdminPorts } from '../tables/admin-ports.ts';
import { keysIn } from '../tables/directory-records.ts';
import { translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import { changeDirectory, DirectorySnapshot } from './change-directory.ts';
import type { ChangeResult, DirectoryChange } from './change-result.ts';
import { EntryErrors, planEntry } from './plan-entry.ts';
import { printChange } from './print-result.ts';
import { type Entry, type EntryOf, listEntries } from './read-entries.ts';

const PARALLEL_PLANS = 16;

type Ports = Pick<AdminPorts, 'records' | 'demoPassword'>;

interface PlannedEntry {
  readonly entry: Entry;
  readonly change: DirectoryChange;
}

export const applyCommand = defineCommand('apply', {
  summary: 'Create and change tenants, companies, suppliers, users and API keys from a file (JSON or YAML).',
  example: 'apply infra/local/demo/directory.yaml --dry-run --local',
})
  .argument('<file>', 'JSON or YAML file with tenants, their companies, suppliers, users and API keys')
  .addOption(dryRunOption)
  .action((file, options) => runCommand(options, (session) => applyFile(session, file)));

async function applyFile(session: Session, file: string) {
  const { ports, output, host } = session;
  const document = await readDocument(file);
  const counts = { created: 0, changed: 0, left: 0, rejected: 0 };
  const entries: object[] = [];
  const errors: string[] = [];
  const buildDocument = (end: object) => ({ ...counts, entries, faults: errors, ...end });
  const stop = stopSignal(host);
  try {
    for await (const applied of applyDirectory(ports, document, stop)) {
      if (applied instanceof EntryErrors) {
        counts.rejected += 1;
        errors.push(...applied.errors);
        for (const error of applied.errors) output.error(`rejected  ${error}`);
      } else {
        counts[applied.outcome] += 1;
        entries.push(printChange(session, applied));
      }
    }
  } catch (error) {
    // A generated key must be printed, whatever fails after it.
    if (entries.length > 0) output.document(buildDocument({ error: (error as Error).message }));
    throw error;
  }

  const totals = Object.entries(counts).map(([outcome, count]) => `${count} ${outcome}`);
  const isInvalid = entries.length === 0 && errors.length > 0;
  output.line(isInvalid ? `${formatCount(errors.length, 'error')}: nothing was written` : totals.join(', '));
  output.document(buildDocument({ interrupted: stop.aborted }));
  if (stop.aborted) {
    output.line(translate(opsTexts.interrupted));
    return EXIT.interrupted;
  }
  return errors.length > 0 ? EXIT.rejected : EXIT.done;
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

async function planDocument(ports: Ports, document: unknown) {
  const entries = [...listEntries(document)];
  const directory = new DirectorySnapshot(ports.records);
  const plan = (entry: Entry) => planEntry(entry, directory, ports.demoPassword);
  // This reads the records and hashes the passwords of the entries in parallel. The entries are planned in order below.
  await forEachConcurrent(entries, PARALLEL_PLANS, async (entry) => {
    await plan(entry).catch(() => undefined);
  });
  const planned = new Map<string, PlannedEntry>();
  const rejections: EntryErrors[] = [];
  for (const entry of entries) {
    try {
      const change = await plan(entry);
      const key = toKeyText(change.entity.key);
      const other = planned.get(key)?.entry;
      if (other) throw new EntryErrors([`${entry.path}: is the same ${entry.kind} as ${other.path}`]);
      planned.set(key, { entry, change });
      // Later entries are planned after this one.
      directory.apply([change.entity, ...change.relatedChanges]);
    } catch (error) {
      if (!(error instanceof EntryErrors)) throw error;
      rejections.push(error);
    }
  }
  const plannedEntries = [...planned.values()];
  if (rejections.length === 0) rejections.push(...(await findMoveErrors(ports, plannedEntries, directory)));
  return { plannedEntries, rejections };
}

/** Finds the suppliers that move to another company without their users. The snapshot contains the planned changes. */
async function findMoveErrors(ports: Ports, plannedEntries: readonly PlannedEntry[], directory: DirectorySnapshot) {
  const errors: EntryErrors[] = [];
  for (const { entry, change } of plannedEntries) {
    const { before } = change.entity;
    const isMove = entry.kind === 'supplier' && before && before['company_id'] !== entry.value.company_id;
    if (!isMove) continue;
    const userIds = await findUsersLeftBehind(ports, entry, directory);
    if (userIds.length === 0) continue;
    const reason = `linked users would stay in the old company: ${userIds.join(', ')}`;
    errors.push(new EntryErrors([`${entry.path}.company_id: ${reason}`]));
  }
  return errors;
}

async function findUsersLeftBehind(ports: Ports, { tenant, value }: EntryOf<'supplier'>, directory: DirectorySnapshot) {
  const isLeftBehind = (user: DirectoryRecord<'user'> | null) =>
    user?.supplier_id === value.supplier_id && user.company_id !== value.company_id;
  const storedUsers = await collectPages(ports.records.pages('user', tenant));
  const candidates = storedUsers.filter(isLeftBehind);
  const plannedUsers = await Promise.all(candidates.map(({ user_id: id }) => directory.get(keysIn(tenant).user(id))));
  return plannedUsers.filter(isLeftBehind).map((user) => user?.user_id);
}
