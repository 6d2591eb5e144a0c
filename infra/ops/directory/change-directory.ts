import type { DirectoryItems } from '../../../lib/storage/directory-items.ts';
import { createDirectoryWriter } from '../../../lib/storage/directory-writer.ts';
import {
  type DirectoryState,
  type Place,
  placesIn,
  type RecordKind,
  readState,
} from '../../../lib/admin/apply/directory-state.ts';
import type { Plan } from '../../../lib/admin/apply/plan.ts';
import { documentOf, linesOf, settle, type Subject } from '../../../lib/admin/apply/settled.ts';
import { KEPT_CHANGING, writePlan } from '../../../lib/admin/apply/write-plan.ts';
import { EXIT, type ExitCode, type Session } from '../command.ts';
import { UsageError } from '../../../lib/admin/usage-error.ts';

/** What a command changes in a tenant. */
export interface DirectoryCommand {
  readonly tenant: string;
  /** The records on which the plan depends, as far as what is known already leads to them. */
  readonly needs: (known: DirectoryState) => readonly Place[];
  /** Made again whenever others have changed the directory meanwhile; a UsageError ends the command. */
  readonly plan: (state: DirectoryState) => Promise<Plan & { readonly subject: Subject }>;
  /** What to say when nothing is to be done. */
  readonly already?: string;
}

/** Brings the directory to what a command wants, and says what that changed; nothing, when it is so already. */
export async function changeDirectory(
  { client, tables, output }: Session,
  { tenant, needs, plan, already }: DirectoryCommand,
): Promise<ExitCode> {
  const writer = createDirectoryWriter(client, tables.Directory);
  const { tenant: place } = placesIn(tenant);
  const written = await writePlan(writer, async () => {
    const state = await readState(writer.read, (known) => [place, ...needs(known)]);
    existing(state, place, `tenant ${tenant}`);
    return plan(state);
  });
  if (!written) throw new Error(`Nothing was written: the records ${KEPT_CHANGING}.`);
  const settled = settle(written.subject, written);
  for (const line of linesOf(settled)) output.line(line);
  if (settled.outcome === 'left' && already !== undefined) output.line(already);
  output.document(documentOf(settled));
  return EXIT.done;
}

/** The record at a place; throws a UsageError that names it when there is none. */
export function existing<Kind extends RecordKind>(
  state: DirectoryState,
  place: Place<Kind>,
  name: string,
): DirectoryItems[Kind] {
  const record = state.get(place);
  if (!record) throw new UsageError(`There is no ${name}.`);
  return record;
}
