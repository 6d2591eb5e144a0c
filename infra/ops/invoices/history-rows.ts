import type { HistoryEntry } from '../../../lib/admin/invoices/invoice-history.ts';
import type { DeclarationRevision } from '../../../lib/domain/declaration.ts';
import { toleranceText } from '../tolerances/tolerance-text.ts';
import { declarationDocument, stateChangeDocument } from './history-documents.ts';

/** What stands above the rows of an invoice's history. */
export const HISTORY_HEADER = [
  'when',
  'what',
  'amount',
  'system',
  'difference',
  'outcome',
  'rule, or reason',
  'who',
  'request',
];

/** An entry of an invoice's history for people. */
export function toRow(entry: HistoryEntry): string[] {
  if ('revision' in entry) return declarationRow(entry.revision, entry.email);
  const { from, to, changedBy, reason, changedAt } = entry.stateChange;
  return [changedAt, `${from} -> ${to}`, '', '', '', '', reason ?? '', changedBy, ''];
}

/** The same for scripts. */
export function toDocument(entry: HistoryEntry): object {
  if ('stateChange' in entry) return { type: 'state_change', ...stateChangeDocument(entry.stateChange) };
  return { type: 'declaration', ...declarationDocument(entry.revision), declared_by_email: entry.email };
}

function declarationRow(revision: DeclarationRevision, email: string | null): string[] {
  const { amount, systemAmount, outcome, tolerance, heldForReview, declaredBy, declaredAt, requestId } = revision;
  return [
    declaredAt,
    `revision ${revision.revision}`,
    amount.toFixed(),
    systemAmount.toFixed(),
    `${outcome.difference.toFixed()} (${outcome.differencePct.toFixed()} %)`,
    `${outcome.action}, ${outcome.withinTolerance ? 'within' : 'outside'}${heldForReview ? ', held' : ''}`,
    toleranceText(tolerance),
    email === null ? declaredBy : `${declaredBy} ${email}`,
    requestId,
  ];
}
