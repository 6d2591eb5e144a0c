import type { DirectoryChange } from '../../../lib/storage/directory-writer.ts';
import type { DirectoryState, Place, RecordKind, StoredRecords } from './directory-state.ts';
import type { Entry } from './directory-entries.ts';

/** What it takes to apply an entry: its changes (none: it is left as it is), or the faults for which it is rejected. */
export type Plan =
  | { readonly faults: readonly string[] }
  | {
      readonly exists: boolean;
      readonly changes: readonly DirectoryChange[];
      /** An API key that was made up for the entry. */
      readonly generatedKey?: string;
    };

/** An entry of one kind. */
export type EntryOf<Kind extends Entry['kind']> = Extract<Entry, { kind: Kind }>;

/** The plan that makes one record so. */
export function planRecord<Kind extends RecordKind>(
  place: Place<Kind>,
  record: StoredRecords[Kind],
  state: DirectoryState,
): Plan {
  return { exists: state.get(place) !== null, changes: state.changesTo(place, record) };
}
