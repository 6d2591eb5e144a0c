import type {
  DirectoryRecord,
  DirectoryRecords,
  Place,
  RecordKind,
} from '../../storage/directory/directory-records.ts';
import { OperatorError } from '../operator-error.ts';
import { type DirectoryState, placesIn, readState } from './directory-state.ts';
import type { Plan } from './plan.ts';
import { resultOf, type EntryResult, type Subject } from './entry-result.ts';
import { KEPT_CHANGING, writePlan } from './write-plan.ts';

/** One change of what a tenant has. */
export interface TenantChange {
  readonly tenant: string;
  /** The records on which the plan depends, as far as what is known already leads to them. */
  readonly needs: (known: DirectoryState) => readonly Place[];
  /** Made again whenever others have changed the directory meanwhile; an OperatorError ends the change. */
  readonly plan: (state: DirectoryState) => Promise<Plan & { readonly subject: Subject }>;
}

/** Writes a change, and says what it changed; nothing, when it is so already. */
export async function changeDirectory(
  records: DirectoryRecords,
  { tenant, needs, plan }: TenantChange,
): Promise<EntryResult> {
  const { tenant: place } = placesIn(tenant);
  const written = await writePlan(records, async () => {
    const state = await readState(records.read, (known) => [place, ...needs(known)]);
    existing(state, place, `tenant ${tenant}`);
    return plan(state);
  });
  if (!written) throw new Error(`Nothing was written: the records ${KEPT_CHANGING}.`);
  return resultOf(written.subject, written);
}

/** The record at a place; throws an OperatorError that names it when there is none. */
export function existing<Kind extends RecordKind>(
  state: DirectoryState,
  place: Place<Kind>,
  name: string,
): DirectoryRecord<Kind> {
  const record = state.get(place);
  if (!record) throw new OperatorError(`There is no ${name}.`);
  return record;
}
