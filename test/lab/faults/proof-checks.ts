/** The outcome of a declaration according to its response; `unknown` if there is no response or it does not show it. */
export type Outcome = 'written' | 'not written' | 'unknown';

/**
 * A declaration that was sent, and sent again if its outcome was unknown. `endedMs` is the time of its last response, or
 * the latest possible time if there was none.
 */
export interface SentRecord {
  /** The id of the invoice, which is unique among all suppliers. */
  readonly invoice: string;
  readonly notes: string;
  readonly amount: number;
  readonly outcome: Outcome;
  readonly maxTimes: number;
  /** True if the outcome of an earlier declaration on the invoice, in the same batch, was unknown. */
  readonly followsUnknown: boolean;
  readonly beganMs: number;
  readonly endedMs: number;
}

/** An entry of an invoice's history. */
export interface StoredRevision {
  readonly revision: number;
  readonly notes: string;
  readonly amount: number;
}

/** A stored invoice, with its history in the order of the revisions. */
export interface StoredInvoice {
  readonly invoice: string;
  readonly history: readonly StoredRevision[];
}

/**
 * Finds everything in the histories that contradicts the responses, one sentence each. The command `verify` compares the
 * invoices with their histories.
 */
export function findViolations(sent: readonly SentRecord[], stored: readonly StoredInvoice[]): string[] {
  const sentByInvoice = Map.groupBy(sent, ({ invoice }) => invoice);
  const existing = new Set(stored.map(({ invoice }) => invoice));
  const absent = [...sentByInvoice.keys()].filter((id) => !existing.has(id));
  return [
    ...absent.flatMap((id) => findWrongOutcomes(sentByInvoice.get(id) ?? [], [])),
    ...stored.flatMap((invoice) => {
      const own = sentByInvoice.get(invoice.invoice) ?? [];
      return [
        ...findWrongOutcomes(own, invoice.history),
        ...findForeignRevisions(own, invoice.history),
        ...findWrongOrder(own, invoice.history),
        ...findRepetitions(own, invoice.history),
      ].map((violation) => `invoice ${invoice.invoice}: ${violation}`);
    }),
  ];
}

/** Finds declarations that the exports do not contain exactly once. `exported` contains texts such as `9001#2`. */
export function findWrongExports(stored: readonly StoredInvoice[], exported: readonly string[]): string[] {
  const timesByKey = Map.groupBy(exported, (key) => key);
  const keys = stored.flatMap(({ invoice, history }) => history.map(({ revision }) => `${invoice}#${revision}`));
  return keys
    .map((key) => ({ key, times: timesByKey.get(key)?.length ?? 0 }))
    .filter(({ times }) => times !== 1)
    .map(({ key, times }) => `declaration ${key} was exported ${times} times`);
}

function findWrongOutcomes(sent: readonly SentRecord[], history: readonly StoredRevision[]): string[] {
  return sent.flatMap(({ outcome, notes, maxTimes }) => {
    const times = history.filter((revision) => revision.notes === notes).length;
    const isAllowed = times >= (outcome === 'written' ? 1 : 0) && times <= maxTimes;
    return isAllowed ? [] : [`the outcome of "${notes}" was ${outcome}, but it is stored ${times} times`];
  });
}

/**
 * Finds revisions that are equal to the previous revision. The service must not write these, except after a declaration
 * of unknown outcome in the same batch: the repeated revision prevents that a late write of that declaration succeeds.
 */
function findRepetitions(sent: readonly SentRecord[], history: readonly StoredRevision[]): string[] {
  const allowedNotes = new Set(sent.filter(({ followsUnknown }) => followsUnknown).map(({ notes }) => notes));
  return history
    .filter(({ notes, amount }, index) => history[index - 1]?.notes === notes && history[index - 1]?.amount === amount)
    .filter(({ notes }) => !allowedNotes.has(notes))
    .map(({ revision }) => `revision ${revision} repeats the previous revision`);
}

function findForeignRevisions(sent: readonly SentRecord[], history: readonly StoredRevision[]): string[] {
  const amounts = new Map(sent.map(({ notes, amount }) => [notes, amount]));
  return history
    .filter(({ notes, amount }) => amounts.get(notes) !== amount)
    .map(({ notes, amount, revision }) => `revision ${revision} (${amount}, "${notes}") is not a sent declaration`);
}

/** Finds declarations that were stored after a declaration that began later and succeeded. */
function findWrongOrder(sent: readonly SentRecord[], history: readonly StoredRevision[]): string[] {
  const lastRevisions = new Map(history.map(({ notes, revision }) => [notes, revision]));
  const firstRevisions = new Map(history.toReversed().map(({ notes, revision }) => [notes, revision]));
  const written = sent.filter(({ outcome }) => outcome === 'written');
  return sent.flatMap((earlier) => {
    const revision = lastRevisions.get(earlier.notes) ?? 0;
    const later = written.find(
      ({ beganMs, notes }) =>
        beganMs > earlier.endedMs && (firstRevisions.get(notes) ?? Number.POSITIVE_INFINITY) < revision,
    );
    return later ? [`"${earlier.notes}" (${earlier.outcome}) was stored after the later "${later.notes}"`] : [];
  });
}
