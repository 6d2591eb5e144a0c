import { type Backoff, jitteredPause } from '../../runtime/attempts.ts';
import { differenceOf, type PropertyChange } from './difference.ts';
import type { DirectoryRecords, RecordChange } from '../ports/directory-records.ts';
import { DirectorySnapshot } from './snapshot.ts';
import type { LeftAlone } from './stops.ts';

const MAX_ATTEMPTS = 6;
const BACKOFF: Backoff = { firstMs: 100, longestMs: 100 };

/** Why a change was never written. */
export const KEPT_CHANGING = 'kept being changed by others';

/** What a change is about, by the names of the file format. */
export type Subject =
  | { readonly kind: 'tenant'; readonly tenant: string }
  | { readonly kind: 'company'; readonly tenant: string; readonly company_id: string }
  | { readonly kind: 'supplier'; readonly tenant: string; readonly supplier_id: string }
  | { readonly kind: 'user'; readonly tenant: string; readonly user_id: string; readonly email: string }
  | { readonly kind: 'api_key'; readonly tenant: string; readonly company_id: string; readonly name: string };

/** A change of Directory that is not written yet. */
export interface DirectoryChange {
  readonly subject: Subject;
  /** What becomes of the record of the subject. */
  readonly record: RecordChange;
  /** What is written with it, or must be as it was read. */
  readonly others?: readonly RecordChange[];
  /** An API key that was made up. */
  readonly generatedKey?: string | undefined;
  /** What stays as it is although the file says otherwise. */
  readonly leftAlone?: readonly LeftAlone[];
  /** Says, once the change is written, what must be written after it; null: nothing. */
  readonly next?: () => PlanChange | null;
}

/** Plans a change by what Directory holds; an error ends it. */
export type PlanChange = (directory: DirectorySnapshot) => Promise<DirectoryChange>;

/** What a change has done. */
export interface ChangeResult {
  readonly subject: Subject;
  readonly outcome: 'created' | 'changed' | 'left';
  readonly changes: readonly PropertyChange[];
  readonly leftAlone: readonly LeftAlone[];
  /** Told here and nowhere else. */
  readonly generatedKey: string | undefined;
}

/** Nothing was written, because others changed the records again and again. */
export class KeptChanging extends Error {
  override readonly name = 'KeptChanging';
}

/**
 * Reads, plans a change and writes it, on the condition that its records are as they were read; when others have
 * changed them meanwhile, all of it again. `planned`: the change to try first. Throws KeptChanging.
 */
export async function changeDirectory(
  records: DirectoryRecords,
  plan: PlanChange,
  planned?: DirectoryChange,
): Promise<ChangeResult> {
  let change = planned ?? (await plan(new DirectorySnapshot(records.read)));
  for (let attempt = 1; ; attempt++) {
    const changes = recordChanges(change);
    if (changes.length === 0) return resultOf(change);
    if (await records.commit(changes)) {
      await changeNext(records, change);
      return resultOf(change);
    }
    if (attempt === MAX_ATTEMPTS) throw new KeptChanging(`Nothing was written: the records ${KEPT_CHANGING}.`);
    await jitteredPause(attempt, BACKOFF);
    change = await plan(new DirectorySnapshot(records.read));
  }
}

async function changeNext(records: DirectoryRecords, { next }: DirectoryChange): Promise<void> {
  const plan = next?.();
  if (!plan) return;
  await changeDirectory(records, plan).catch((error: unknown) => {
    throw error instanceof KeptChanging ? new Error(`Run end-sessions, too: the records ${KEPT_CHANGING}.`) : error;
  });
}

/** What is to be written at once: all or nothing, for the records fit only while none of them has changed. */
export function recordChanges({ record, others = [] }: DirectoryChange): readonly RecordChange[] {
  const changes = [record, ...others];
  return changes.some(({ after }) => after !== undefined) ? changes : [];
}

/** What a change does once it is written. */
export function resultOf(change: DirectoryChange): ChangeResult {
  const { subject, record, others = [], leftAlone = [], generatedKey } = change;
  const existed = recordChanges(change).length > 0 ? ('changed' as const) : ('left' as const);
  const isPasswordNew = others.some(
    ({ key, before, after }) => key.kind === 'account' && after && after['password_hash'] !== before?.['password_hash'],
  );
  return {
    subject,
    outcome: record.before ? existed : 'created',
    changes: [...differenceOf(record), ...(record.before && isPasswordNew ? [{ property: 'password' } as const] : [])],
    leftAlone,
    generatedKey,
  };
}
