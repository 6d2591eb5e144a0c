import type { DirectoryRecords } from '../../storage/directory/directory-records.ts';
import { type DirectoryState, placesIn, readState } from '../directory/directory-state.ts';
import { passwordHashFor } from '../directory/password-hash.ts';
import { namesOf, passwordFault } from '../directory/password-rules.ts';
import type { Plan, Refusal } from '../directory/plan.ts';
import { resultOf, type EntryResult } from '../directory/entry-result.ts';
import { KEPT_CHANGING, writePlan } from '../directory/write-plan.ts';
import type { Installation } from '../installation.ts';
import { type Entry, readEntries, type Rejection } from './directory-entries.ts';
import { checkRules } from './directory-rules.ts';
import { rejectMovingSuppliers } from './moving-suppliers.ts';
import { planEntries } from './plan-entries.ts';
import { placesNamedBy, placesOf, planEntry } from './plan-entry.ts';
import { subjectOf } from './subject-of.ts';

/** What became of an entry, and where in the file it is. */
export interface Applied extends EntryResult {
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
  { records, lists, demoPassword }: Pick<Installation, 'records' | 'lists' | 'demoPassword'>,
  document: unknown,
  { dryRun, report, stop }: ApplyOptions,
): Promise<boolean> {
  const read = readEntries(document);
  const checked = checkRules(read.entries);
  const faulty = [...read.rejections, ...checked.rejections];

  const state = await readState(records.read, (known) => checked.entries.flatMap((entry) => placesOf(entry, known)));
  // The faults of an entry are not also those of the entries that refer to it.
  state.presume(faulty.flatMap(placesNamedBy));
  const moving = await rejectMovingSuppliers(checked.entries, state, lists.users);
  const { planned, rejections } = planEntries(checked.entries, state, await hashPasswords(checked.entries, state));
  const guessable = planned.flatMap(({ entry }) => rejectPassword(entry, state, demoPassword));
  const rejected = [...faulty, ...moving, ...rejections, ...guessable];
  for (const { path, faults } of rejected) report({ path, faults });
  if (rejected.length > 0) return false;

  let planHolds = true;
  for (const { entry, plan } of planned) {
    if (stop?.aborted) break;
    const planNow = () => planAgainstStored(entry, records);
    const written = dryRun ? plan : await writePlan(records, planNow, planHolds ? plan : undefined);
    if (written === null || 'faults' in written) {
      report({ path: entry.path, faults: written?.faults ?? [`${entry.path}: ${KEPT_CHANGING}`] });
      planHolds = false;
    } else {
      const result = resultOf(subjectOf(entry), written);
      report({ ...result, path: entry.path, generatedKey: dryRun ? undefined : result.generatedKey });
    }
  }
  return true;
}

/** Judges the password of an entry by the names that its user is going to have. */
function rejectPassword(entry: Entry, state: DirectoryState, accepted: string | undefined): Rejection[] {
  const { kind, path, tenant, value } = entry;
  if (kind !== 'user' || !value.password || value.password === accepted) return [];
  const user = state.get(placesIn(tenant).user(value.user_id));
  const fault = user && passwordFault(value.password, namesOf(tenant, user, state));
  return fault ? [{ path, faults: [`${path}.password: ${fault}`] }] : [];
}

/** Plans an entry against the directory as it is now. */
async function planAgainstStored(entry: Entry, { read }: DirectoryRecords): Promise<Plan | Refusal> {
  const state = await readState(read, (known) => placesOf(entry, known));
  const hashes = await hashPasswords([entry], state);
  return planEntry(entry, state, hashes.get(entry));
}

async function hashPasswords(entries: readonly Entry[], state: DirectoryState): Promise<Map<Entry, string>> {
  const hashed = entries.map(async (entry): Promise<[Entry, string][]> => {
    if (entry.kind !== 'user' || !entry.value.password) return [];
    const stored = state.get(placesIn(entry.tenant).account(entry.value.user_id));
    return [[entry, await passwordHashFor(entry.value.password, stored?.password_hash)]];
  });
  return new Map((await Promise.all(hashed)).flat());
}
