import {
  changeDirectory,
  type ChangeResult,
  type DirectoryChange,
  KEPT_CHANGING,
  KeptChanging,
  recordChanges,
  resultOf,
} from '../directory/change.ts';
import { namesOf, passwordFault, passwordHashFor } from '../directory/passwords.ts';
import { keysIn, type RecordKey } from '../ports/directory-records.ts';
import { DirectorySnapshot } from '../directory/snapshot.ts';
import type { AdminPorts } from '../ports/admin-ports.ts';
import { changeEntry, EntryFaults } from './change-entry.ts';
import { type Entry, type FaultyEntry, readEntries, type Rejection } from './directory-entries.ts';
import { checkRules } from './directory-rules.ts';
import { rejectMovingSuppliers } from './moving-suppliers.ts';

/** What became of an entry, and where in the file it is. */
export interface Applied extends ChangeResult {
  readonly path: string;
}

/** How to apply; `report` hears of every entry as soon as it is done. */
export interface ApplyOptions {
  readonly dryRun: boolean;
  /** Ends the run early, between two entries. */
  readonly stop?: AbortSignal;
  readonly report: (result: Applied | Rejection) => void;
}

/**
 * Brings the directory to what a document says of it, and leaves alone what it does not name. False: the document has
 * faults, all of which were reported, and nothing was written. What only a write can find rejects that entry alone.
 */
export async function applyDirectory(
  { records, demoPassword }: Pick<AdminPorts, 'records' | 'demoPassword'>,
  document: unknown,
  { dryRun, report, stop }: ApplyOptions,
): Promise<boolean> {
  const read = readEntries(document);
  const checked = checkRules(read.entries);
  const faulty = [...read.rejections, ...checked.rejections];

  const directory = new DirectorySnapshot(records.read);
  // Planned side by side, the entries read all that they need in a few calls; in order they are planned below.
  await Promise.allSettled(checked.entries.map((entry) => changeEntry(entry, directory)));
  // The faults of an entry are not also those of the entries that refer to it.
  directory.presume(faulty.flatMap(keysNamedBy));
  const moving = await rejectMovingSuppliers(checked.entries, directory, records.pages);
  const { planned, rejections } = await planEntries(checked.entries, directory);
  const guessable = await Promise.all(planned.map(({ entry }) => rejectPassword(entry, directory, demoPassword)));
  const rejected = [...faulty, ...moving, ...rejections, ...guessable.flat()];
  for (const { path, faults } of rejected) report({ path, faults });
  if (rejected.length > 0) return false;

  let holds = true;
  for (const { entry, change } of planned) {
    if (stop?.aborted) break;
    const { path } = entry;
    try {
      const plan = (stored: DirectorySnapshot) => planEntry(entry, stored);
      const result = dryRun ? resultOf(change) : await changeDirectory(records, plan, holds ? change : undefined);
      report({ ...result, path, generatedKey: dryRun ? undefined : result.generatedKey });
    } catch (error) {
      // What was planned for the entries after it may build on it.
      holds = false;
      report({ path, faults: faultsOf(error, entry) });
    }
  }
  return true;
}

interface PlannedEntry {
  readonly entry: Entry;
  readonly change: DirectoryChange;
}

/** Plans entries one upon the other, in the order in which they must be written; the snapshot takes them for done. */
async function planEntries(entries: readonly Entry[], directory: DirectorySnapshot) {
  const hashes = new Map(
    await Promise.all(entries.map(async (entry) => [entry, await hashPassword(entry, directory)] as const)),
  );
  const planned: PlannedEntry[] = [];
  let waiting = entries;
  for (;;) {
    const refused: Entry[] = [];
    const rejections: Rejection[] = [];
    for (const entry of waiting) {
      try {
        const change = await changeEntry(entry, directory, hashes.get(entry));
        directory.apply(recordChanges(change));
        planned.push({ entry, change });
      } catch (error) {
        refused.push(entry);
        rejections.push({ path: entry.path, faults: faultsOf(error, entry) });
      }
    }
    // What an entry wants, a later one may have given up: a login name goes from one user to another.
    if (refused.length === 0 || refused.length === waiting.length) return { planned, rejections };
    waiting = refused;
  }
}

async function planEntry(entry: Entry, directory: DirectorySnapshot): Promise<DirectoryChange> {
  return changeEntry(entry, directory, await hashPassword(entry, directory));
}

async function hashPassword({ kind, tenant, value }: Entry, directory: DirectorySnapshot): Promise<string | undefined> {
  if (kind !== 'user' || !value.password) return undefined;
  const account = await directory.get(keysIn(tenant).account(value.user_id));
  return passwordHashFor(value.password, account?.password_hash);
}

/** Judges the password of an entry by the names that its user is going to have. */
async function rejectPassword(
  { kind, path, tenant, value }: Entry,
  directory: DirectorySnapshot,
  accepted: string | undefined,
): Promise<Rejection[]> {
  if (kind !== 'user' || !value.password || value.password === accepted) return [];
  const keys = keysIn(tenant);
  const user = await directory.get(keys.user(value.user_id));
  const company = await directory.get(keys.company(value.company_id));
  const fault = user && passwordFault(value.password, namesOf(tenant, user, company));
  return fault ? [{ path, faults: [`${path}.password: ${fault}`] }] : [];
}

/** The records that there would be, did this entry have no faults, and to which other entries may refer. */
function keysNamedBy({ kind, tenant, value }: FaultyEntry): RecordKey[] {
  const keys = keysIn(tenant);
  const ids = value as { company_id?: unknown; supplier_id?: unknown } | null;
  if (kind === 'tenant') return [keys.tenant];
  if (kind === 'company') return [keys.company(String(ids?.company_id))];
  return kind === 'supplier' ? [keys.supplier(String(ids?.supplier_id))] : [];
}

function faultsOf(error: unknown, { path }: Entry): readonly string[] {
  if (error instanceof EntryFaults) return error.faults;
  if (error instanceof KeptChanging) return [`${path}: ${KEPT_CHANGING}`];
  throw error;
}
