import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { hashPassword, verifyPassword } from '../../../lib/auth/passwords.ts';
import { createDirectoryWriter, type DirectoryWriter } from '../../../lib/storage/directory-writer.ts';
import { type Entry, readEntries, type Rejection } from './directory-entries.ts';
import { checkRules } from './directory-rules.ts';
import { DirectoryState, placesIn } from './directory-state.ts';
import type { Plan } from './plan.ts';
import { placesOf, planEntry } from './plan-entry.ts';

/** What became of an entry; a generated key is told here and nowhere else. */
export interface Applied {
  readonly entry: Entry;
  readonly outcome: 'created' | 'changed' | 'left';
  readonly generatedKey: string | undefined;
}

/** How to apply; `report` hears of every entry as soon as it is settled. */
export interface ApplyOptions {
  readonly dryRun: boolean;
  readonly report: (settled: Applied | Rejection) => void;
}

const MAX_ATTEMPTS = 5;

/** Brings the directory to what a document says of it, and leaves alone what it does not name; entries with faults are rejected, the others applied. */
export async function applyDirectory(
  client: DynamoDBDocumentClient,
  table: string,
  document: unknown,
  { dryRun, report }: ApplyOptions,
): Promise<void> {
  const read = readEntries(document);
  const checked = checkRules(read.entries);
  for (const rejection of [...read.rejections, ...checked.rejections]) report(rejection);

  const writer = createDirectoryWriter(client, table);
  const state = new DirectoryState(writer.read);
  await state.learn(() => checked.entries.flatMap((entry) => placesOf(entry, state)));
  const hashes = await hashPasswords(checked.entries, state);

  // All is planned before anything is written, so that the faults of the whole file are known first.
  const plans = checked.entries.map((entry) => {
    const plan = planEntry(entry, state, hashes.get(entry));
    if ('faults' in plan) report({ path: entry.path, faults: plan.faults });
    else state.adopt(plan.changes);
    return { entry, plan };
  });
  for (const { entry, plan } of plans) {
    if ('faults' in plan) continue;
    const written = dryRun ? plan : await write(writer, state, entry, plan, hashes.get(entry));
    if ('faults' in written) report({ path: entry.path, faults: written.faults });
    else report({ entry, outcome: outcomeOf(written), generatedKey: dryRun ? undefined : written.generatedKey });
  }
}

async function write(
  writer: DirectoryWriter,
  state: DirectoryState,
  entry: Entry,
  planned: Plan,
  passwordHash: string | undefined,
): Promise<Plan> {
  let plan = planned;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    if ('faults' in plan || plan.changes.length === 0 || (await writer.commit(plan.changes))) return plan;
    state.forget(placesOf(entry, state));
    await state.learn(() => placesOf(entry, state));
    plan = planEntry(entry, state, passwordHash);
  }
  return { faults: [`${entry.path}: kept being changed by others`] };
}

function outcomeOf(plan: Exclude<Plan, { faults: unknown }>): Applied['outcome'] {
  if (!plan.exists) return 'created';
  return plan.changes.length > 0 ? 'changed' : 'left';
}

/** The hashes of the passwords in the file; the stored one where it still matches, because a new one would always differ. */
async function hashPasswords(entries: readonly Entry[], state: DirectoryState): Promise<Map<Entry, string>> {
  const hashed = entries.map(async (entry): Promise<[Entry, string][]> => {
    if (entry.kind !== 'user' || !entry.value.password) return [];
    const stored = state.get(placesIn(entry.tenant).user(entry.value.user_id))?.password_hash;
    const matches = stored !== undefined && (await verifyPassword(entry.value.password, stored));
    return [[entry, matches ? stored : await hashPassword(entry.value.password)]];
  });
  return new Map((await Promise.all(hashed)).flat());
}
