import type { DirectoryChange, DirectoryWriter } from '../../storage/directory-writer.ts';
import type { Entry } from './directory-entries.ts';
import type { LeftAlone } from './stopped-by-command.ts';

/** What it takes to make records so. */
export interface Plan {
  /** What becomes of the record that the entry or command is about. */
  readonly record: DirectoryChange;
  /** What is to be written at once: none when all is so already. */
  readonly changes: readonly DirectoryChange[];
  /** What becomes of the record of a user's password. */
  readonly account?: DirectoryChange | undefined;
  /** An API key that was made up. */
  readonly generatedKey?: string;
  /** What stays as it is although the entry says otherwise. */
  readonly leftAlone?: readonly LeftAlone[];
  /** Says, once the plan is written, what is to be written after it; null: nothing. */
  readonly next?: () => NextPlan | null;
}

/** Plans what is to be written after another plan. */
export type NextPlan = (read: DirectoryWriter['read']) => Promise<Plan>;

/** Why an entry is rejected, each fault as `path: reason`. */
export interface Refusal {
  readonly faults: readonly string[];
}

/** An entry of one kind. */
export type EntryOf<Kind extends Entry['kind']> = Extract<Entry, { kind: Kind }>;

/** The plan of a record and of what points to it. */
export function planRecords(record: DirectoryChange, ...pointers: readonly DirectoryChange[]): Plan {
  const changes = [record, ...pointers];
  // All or none: a record and its pointers were read one by one, and fit only while none of them has changed.
  return { record, changes: changes.some(({ after }) => after !== undefined) ? changes : [] };
}
