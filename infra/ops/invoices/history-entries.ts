import type { DeclarationRevision } from '../../../lib/domain/declaration.ts';
import type { StateChange } from '../../../lib/domain/invoice-state-change.ts';
import { declarationDocument, stateChangeDocument } from './history-documents.ts';
import { toleranceText } from './tolerance-text.ts';

/** One entry of an invoice's history: a row for people and a document for scripts. */
export interface HistoryEntry {
  readonly at: string;
  readonly row: readonly string[];
  readonly document: object;
}

/** What stands above the rows of the entries. */
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

/** The entries of declarations and changes of state, in the order of time; `emails` are those of the users that still exist. */
export function historyEntries(
  revisions: readonly DeclarationRevision[],
  stateChanges: readonly StateChange[],
  emails: ReadonlyMap<string, string>,
): HistoryEntry[] {
  const entries = [
    ...revisions.map((revision) => declarationEntry(revision, emails.get(revision.declaredBy) ?? null)),
    ...stateChanges.map(stateChangeEntry),
  ];
  return entries.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

function declarationEntry(revision: DeclarationRevision, email: string | null): HistoryEntry {
  const { amount, systemAmount, outcome, tolerance, declaredBy, declaredAt, requestId } = revision;
  return {
    at: declaredAt,
    row: [
      declaredAt,
      `revision ${revision.revision}`,
      amount.toFixed(),
      systemAmount.toFixed(),
      `${outcome.difference.toFixed()} (${outcome.differencePct.toFixed()} %)`,
      `${outcome.action}, ${outcome.withinTolerance ? 'within' : 'outside'}`,
      toleranceText(tolerance),
      email === null ? declaredBy : `${declaredBy} ${email}`,
      requestId,
    ],
    document: { type: 'declaration', ...declarationDocument(revision), declared_by_email: email },
  };
}

function stateChangeEntry(change: StateChange): HistoryEntry {
  const { from, to, changedBy, reason, changedAt } = change;
  return {
    at: changedAt,
    row: [changedAt, `${from} -> ${to}`, '', '', '', '', reason ?? '', changedBy, ''],
    document: { type: 'state_change', ...stateChangeDocument(change) },
  };
}
