import type { DeclarationRevision } from '../../../lib/domain/declaration.ts';
import type { StateChange } from '../../../lib/domain/invoice-state-change.ts';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { keysIn } from '../../../lib/domain/record-keys.ts';
import type { AdminPorts } from '../../../lib/composition/admin-ports.ts';
import { findInvoice, type InvoiceRef } from './find-invoice.ts';

/** A declaration with the e-mail of its user (null: the user no longer exists), or a state change. */
export type HistoryEntry =
  { readonly revision: DeclarationRevision; readonly email: string | null } | { readonly stateChange: StateChange };

/** Reads the declarations and state changes of an invoice, oldest first. */
export async function readHistory(
  ports: Pick<AdminPorts, 'records' | 'invoices' | 'declarations' | 'stateChanges'>,
  name: InvoiceRef,
): Promise<{ scope: SupplierScope; entries: HistoryEntry[] }> {
  const { scope } = await findInvoice(ports, name);
  const revisions = await ports.declarations.history(scope, name.invoiceId);
  const stateChanges = await ports.stateChanges(scope, name.invoiceId);
  const userIds = new Set(revisions.map(({ declaredBy }) => declaredBy));
  const emails = await readEmails(ports, name.tenant, userIds);
  return { scope, entries: mergeHistory(revisions, stateChanges, emails) };
}

/**
 * Merges declarations and state changes by time. Each list keeps its order, because the clocks of two machines differ.
 * `emails` contains the users that still exist, by user id.
 */
export function mergeHistory(
  revisions: readonly DeclarationRevision[],
  stateChanges: readonly StateChange[],
  emails: ReadonlyMap<string, string>,
): HistoryEntry[] {
  let position = 0;
  const isNext = (time: string) => (stateChanges[position]?.changedAt ?? time) < time;
  const entries = revisions.flatMap((revision): HistoryEntry[] => {
    const start = position;
    while (isNext(revision.declaredAt)) position += 1;
    const changes = stateChanges.slice(start, position).map((stateChange) => ({ stateChange }));
    return [...changes, { revision, email: emails.get(revision.declaredBy) ?? null }];
  });
  return [...entries, ...stateChanges.slice(position).map((stateChange) => ({ stateChange }))];
}

/** Reads the e-mails of the users that exist, by user id. */
async function readEmails(
  { records }: Pick<AdminPorts, 'records'>,
  tenant: string,
  userIds: ReadonlySet<string>,
): Promise<Map<string, string>> {
  const users = await records.read([...userIds].map(keysIn(tenant).user));
  return new Map(users.flatMap((user) => (user ? [[user.user_id, user.email]] : [])));
}
