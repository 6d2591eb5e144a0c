import { type HistoryEntry, readHistory } from './invoice-history.ts';
import { declarationDocument, stateChangeDocument } from '../../../lib/contracts/history.ts';
import type { DeclarationRevision } from '../../../lib/domain/declaration.ts';
import { EXIT, runCommand } from '../command.ts';
import { outOption } from '../out-file.ts';
import { toleranceText } from '../tolerance-text.ts';
import { defineInvoiceCommand } from './invoice-options.ts';

const HEADER = ['when', 'what', 'amount', 'system', 'difference', 'outcome', 'rule, or reason', 'who', 'request'];

/** `history`: prints the declarations and the state changes of an invoice. */
export const historyCommand = defineInvoiceCommand('history', {
  summary: 'Show the declarations on an invoice, and all other changes of its state or amount, oldest first.',
  example: 'history demo.example 9005 --local',
})
  .addOption(outOption)
  .action((tenant, invoiceId, { supplier, ...options }) =>
    runCommand(options, async ({ ports, output }) => {
      const { scope, entries } = await readHistory(ports, { tenant, invoiceId, supplierId: supplier });
      if (entries.length === 0) output.line('The invoice has no declaration, and its state was never changed.');
      else output.table(HEADER, entries.map(toRow));
      const documents = entries.map(toDocument);
      output.document({ tenant, supplier_id: scope.supplierId, invoice_id: invoiceId, entries: documents });
      return EXIT.done;
    }),
  );

/** An entry of an invoice's history for people. */
function toRow(entry: HistoryEntry): string[] {
  if ('revision' in entry) return declarationRow(entry.revision, entry.email);
  const { from, to, fromSystemAmount, toSystemAmount, changedBy, reason, changedAt } = entry.stateChange;
  const what = from === to ? 'system amount' : `${from} -> ${to}`;
  const amounts = fromSystemAmount ? `${fromSystemAmount.toFixed()} -> ${toSystemAmount?.toFixed()}` : '';
  return [changedAt, what, '', amounts, '', '', reason ?? '', changedBy, ''];
}

/** Converts an entry of an invoice's history to JSON. */
function toDocument(entry: HistoryEntry): object {
  if ('stateChange' in entry) return { type: 'state_change', ...stateChangeDocument(entry.stateChange) };
  return { type: 'declaration', ...declarationDocument(entry.revision), declared_by_email: entry.email };
}

function declarationRow(revision: DeclarationRevision, email: string | null): string[] {
  const { amount, systemAmount, outcome, tolerance, requiresManualReview, declaredBy, declaredAt, requestId } =
    revision;
  return [
    declaredAt,
    `revision ${revision.revision}`,
    amount.toFixed(),
    systemAmount.toFixed(),
    `${outcome.difference.toFixed()} (${outcome.differencePct.toFixed()} %)`,
    `${outcome.action}, ${outcome.withinTolerance ? 'within' : 'outside'}${requiresManualReview ? ', held' : ''}`,
    toleranceText(tolerance),
    email === null ? declaredBy : `${declaredBy} ${email}`,
    requestId,
  ];
}
