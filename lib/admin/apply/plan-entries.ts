import type { DirectoryState } from '../directory/directory-state.ts';
import type { Plan } from '../directory/plan.ts';
import type { Entry, Rejection } from './directory-entries.ts';
import { planEntry } from './plan-entry.ts';

/** An entry and what it takes to apply it. */
export interface PlannedEntry {
  readonly entry: Entry;
  readonly plan: Plan;
}

/**
 * Plans entries one upon the other, in the order in which they must be written; the state becomes what they make of it.
 */
export function planEntries(
  entries: readonly Entry[],
  state: DirectoryState,
  hashes: ReadonlyMap<Entry, string>,
): { planned: PlannedEntry[]; rejections: Rejection[] } {
  const planned: PlannedEntry[] = [];
  let waiting = entries;
  for (;;) {
    const refused: Entry[] = [];
    const rejections: Rejection[] = [];
    for (const entry of waiting) {
      const plan = planEntry(entry, state, hashes.get(entry));
      if ('faults' in plan) {
        refused.push(entry);
        rejections.push({ path: entry.path, faults: plan.faults });
      } else {
        state.adopt(plan.changes);
        planned.push({ entry, plan });
      }
    }
    // What an entry wants, a later one may have given up: a login name goes from one user to another.
    if (refused.length === 0 || refused.length === waiting.length) return { planned, rejections };
    waiting = refused;
  }
}
