import type { DeclarationRevision } from '../../domain/declaration.ts';
import type { StateChange } from '../../domain/invoice-state-change.ts';
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

/** The entries of declarations and of changes of state (each in its order), merged by time; `emails` are those of the users that still exist. */
export function historyEntries(
  revisions: readonly DeclarationRevision[],
  stateChanges: readonly StateChange[],
  emails: ReadonlyMap<string, string>,
): HistoryEntry[] {
  const declarations = revisions.map((revision) => declarationEntry(revision, emails.get(revision.declaredBy) ?? null));
  return [...timed(declarations), ...timed(stateChanges.map(stateChangeEntry))]
    .toSorted((a, b) => a.ms - b.ms)
    .map(({ entry }) => entry);
}

// The clocks of two machines differ: what follows another entry in its own list is not before it, whatever its time says.
function timed(entries: readonly HistoryEntry[]): { entry: HistoryEntry; ms: number }[] {
  let latestMs = 0;
  return entries.map((entry) => {
    latestMs = Math.max(latestMs, Date.parse(entry.at));
    return { entry, ms: latestMs };
  });
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
