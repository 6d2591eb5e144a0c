import { declarationDocument, stateChangeDocument } from '../../../lib/contracts/events.ts';
import type { DeclarationRevision } from '../../../lib/domain/declaration.ts';
import type { StateChange } from '../../../lib/domain/invoice-state-change.ts';
import { keysIn } from '../tables/directory-records.ts';
import { runCommand } from '../command.ts';
import { outOption } from '../out-file.ts';
import { toleranceText } from '../tolerance-text.ts';
import { defineInvoiceCommand, findInvoice } from './invoice-options.ts';

const HEADER = ['when', 'what', 'amount', 'system', 'difference', 'outcome', 'rule, or reason', 'who', 'request'];

/** `history`: prints the declarations and the state changes of an invoice. */
export const historyCommand = defineInvoiceCommand('history', {
  summary: 'Show the declarations on an invoice, and all other changes of its state or amount, oldest first.',
  example: 'history demo.example 9005 --local',
})
  .addOption(outOption)
  .action((tenant, invoiceId, { supplier, ...options }) =>
    runCommand(options, async ({ ports, output }) => {
      const { scope } = await findInvoice(ports, { tenant, invoiceId, supplierId: supplier });
      const revisions = await ports.declarations.history(scope, invoiceId);
      const stateChanges = await ports.stateChanges(scope, invoiceId);
      const userIds = new Set(revisions.map(({ declaredBy }) => declaredBy));
      const users = await ports.records.read([...userIds].map(keysIn(tenant).user));
      // A user may no longer exist.
      const emails = new Map(users.flatMap((user) => (user ? [[user.user_id, user.email]] : [])));

      const entries = mergeHistory(revisions, stateChanges);
      const toRow = (entry: HistoryEntry) =>
        'declaredAt' in entry ? declarationRow(entry, emails.get(entry.declaredBy)) : stateChangeRow(entry);
      if (entries.length === 0) output.line('The invoice has no declaration, and its state was never changed.');
      else output.table(HEADER, entries.map(toRow));
      const toDocument = (entry: HistoryEntry) => {
        if (!('declaredAt' in entry)) return { type: 'state_change', ...stateChangeDocument(entry) };
        const email = emails.get(entry.declaredBy) ?? null;
        return { type: 'declaration', ...declarationDocument(entry), declared_by_email: email };
      };
      const documents = entries.map(toDocument);
      output.document({ tenant, supplier_id: scope.supplierId, invoice_id: invoiceId, entries: documents });
    }),
  );

type HistoryEntry = DeclarationRevision | StateChange;

/** Merges declarations and state changes by time. Each list keeps its order, because the clocks of two machines differ. */
export function mergeHistory(
  revisions: readonly DeclarationRevision[],
  stateChanges: readonly StateChange[],
): HistoryEntry[] {
  let position = 0;
  const entries = revisions.flatMap((revision): HistoryEntry[] => {
    const start = position;
    while ((stateChanges[position]?.changedAt ?? revision.declaredAt) < revision.declaredAt) position += 1;
    return [...stateChanges.slice(start, position), revision];
  });
  return [...entries, ...stateChanges.slice(position)];
}

function stateChangeRow(change: StateChange): string[] {
  const { from, to, fromSystemAmount, toSystemAmount, changedBy, reason, changedAt } = change;
  const what = from === to ? 'system amount' : `${from} -> ${to}`;
  const amounts = fromSystemAmount ? `${fromSystemAmount.toFixed()} -> ${toSystemAmount?.toFixed()}` : '';
  return [changedAt, what, '', amounts, '', '', reason ?? '', changedBy, ''];
}

function declarationRow(revision: DeclarationRevision, email: string | undefined): string[] {
  const { outcome, declaredBy } = revision;
  const isWithin = outcome.withinTolerance ? 'within' : 'outside';
  return [
    revision.declaredAt,
    `revision ${revision.revision}`,
    revision.amount.toFixed(),
    revision.systemAmount.toFixed(),
    `${outcome.difference.toFixed()} (${outcome.differencePct.toFixed()} %)`,
    `${outcome.action}, ${isWithin}${revision.requiresManualReview ? ', held' : ''}`,
    toleranceText(revision.tolerance),
    email === undefined ? declaredBy : `${declaredBy} ${email}`,
    revision.requestId,
  ];
}
