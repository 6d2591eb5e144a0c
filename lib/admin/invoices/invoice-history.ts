import type { DeclarationRevision } from '../../domain/declaration.ts';
import type { StateChange } from '../../domain/invoice-state-change.ts';
import type { SupplierScope } from '../../domain/invoice.ts';
import { keysIn } from '../ports/directory-records.ts';
import type { AdminPorts } from '../ports/admin-ports.ts';
import { findInvoice, type InvoiceName } from './find-invoice.ts';

/** A declaration, with the e-mail of who made it (null: that user is gone), or a change of state. */
export type HistoryEntry =
  { readonly revision: DeclarationRevision; readonly email: string | null } | { readonly stateChange: StateChange };

/** What was declared on an invoice and who changed its state, oldest first. */
export async function readHistory(
  ports: Pick<AdminPorts, 'records' | 'invoices' | 'declarations' | 'stateChanges'>,
  name: InvoiceName,
): Promise<{ scope: SupplierScope; entries: HistoryEntry[] }> {
  const { scope } = await findInvoice(ports, name);
  const revisions = await ports.declarations.history(scope, name.invoiceId);
  const stateChanges = await ports.stateChanges(scope, name.invoiceId);
  const userIds = new Set(revisions.map(({ declaredBy }) => declaredBy));
  const emails = await readEmails(ports, name.tenant, userIds);
  return { scope, entries: historyEntries(revisions, stateChanges, emails) };
}

/**
 * The entries of declarations and of changes of state (each in its order), merged by time; `emails` are those of the
 * users that still exist.
 */
export function historyEntries(
  revisions: readonly DeclarationRevision[],
  stateChanges: readonly StateChange[],
  emails: ReadonlyMap<string, string>,
): HistoryEntry[] {
  const declarations = timed(revisions, ({ declaredAt }) => declaredAt).map(({ entry: revision, ms }) => ({
    entry: { revision, email: emails.get(revision.declaredBy) ?? null },
    ms,
  }));
  const changes = timed(stateChanges, ({ changedAt }) => changedAt).map(({ entry: stateChange, ms }) => ({
    entry: { stateChange },
    ms,
  }));
  return [...declarations, ...changes].toSorted((a, b) => a.ms - b.ms).map(({ entry }) => entry);
}

// The clocks of two machines differ: what follows another entry in its own list is not before it, whatever its time
// says.
function timed<Entry>(entries: readonly Entry[], timeOf: (entry: Entry) => string): { entry: Entry; ms: number }[] {
  let latestMs = 0;
  return entries.map((entry) => {
    latestMs = Math.max(latestMs, Date.parse(timeOf(entry)));
    return { entry, ms: latestMs };
  });
}

/** The e-mails of the users that exist, by user id. */
async function readEmails(
  { records }: Pick<AdminPorts, 'records'>,
  tenant: string,
  userIds: ReadonlySet<string>,
): Promise<Map<string, string>> {
  const users = await records.read([...userIds].map(keysIn(tenant).user));
  return new Map(users.flatMap((user) => (user ? [[user.user_id, user.email]] : [])));
}
