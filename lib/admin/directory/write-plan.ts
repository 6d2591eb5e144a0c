import { type Backoff, jitteredPause } from '../../runtime/backoff.ts';
import type { DirectoryRecords } from '../../storage/directory/directory-records.ts';
import type { Plan, Refusal } from './plan.ts';

const MAX_ATTEMPTS = 6;
const BACKOFF: Backoff = { firstMs: 100, longestMs: 100 };

/** Why a plan was never written. */
export const KEPT_CHANGING = 'kept being changed by others';

/**
 * Writes a plan; when others have changed what it was made from, plans again. Gives what was written,
 * a refusal, or null when others kept being faster. `planNow` plans against the directory as it is at that moment.
 */
export async function writePlan<Made extends Plan | Refusal>(
  records: DirectoryRecords,
  planNow: () => Promise<Made>,
  planned?: Made,
): Promise<Made | null> {
  let plan = planned ?? (await planNow());
  for (let attempt = 1; ; attempt++) {
    if ('faults' in plan || plan.changes.length === 0) return plan;
    if (await records.commit(plan.changes)) {
      await writeNext(records, plan);
      return plan;
    }
    if (attempt === MAX_ATTEMPTS) return null;
    await jitteredPause(attempt, BACKOFF);
    plan = await planNow();
  }
}

async function writeNext(records: DirectoryRecords, { next }: Plan): Promise<void> {
  const planNext = next?.();
  if (!planNext || (await writePlan(records, () => planNext(records.read)))) return;
  throw new Error(`Run end-sessions, too: the records ${KEPT_CHANGING}.`);
}
