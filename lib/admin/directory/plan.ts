import type { DirectoryRecords, RecordChange } from '../../storage/directory/directory-records.ts';
import type { LeftAlone } from './stopped-by-command.ts';

/** What it takes to make records so. */
export interface Plan {
  /** What becomes of the record that the entry or command is about. */
  readonly record: RecordChange;
  /** What is to be written at once: none when all is so already. */
  readonly changes: readonly RecordChange[];
  /** What becomes of the record of a user's password. */
  readonly account?: RecordChange | undefined;
  /** An API key that was made up. */
  readonly generatedKey?: string;
  /** What stays as it is although the entry says otherwise. */
  readonly leftAlone?: readonly LeftAlone[];
  /** Says, once the plan is written, what is to be written after it; null: nothing. */
  readonly next?: () => NextPlan | null;
}

/** Plans what is to be written after another plan. */
export type NextPlan = (read: DirectoryRecords['read']) => Promise<Plan>;

/** Why an entry is rejected, each fault as `path: reason`. */
export interface Refusal {
  readonly faults: readonly string[];
}

/** The plan of a record and of what points to it. */
export function planRecords(record: RecordChange, ...pointers: readonly RecordChange[]): Plan {
  const changes = [record, ...pointers];
  // All or none: a record and its pointers were read one by one, and fit only while none of them has changed.
  return { record, changes: changes.some(({ after }) => after !== undefined) ? changes : [] };
}
