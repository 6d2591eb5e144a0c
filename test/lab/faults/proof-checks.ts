/** What became of a declaration by its answer: it was written, it was certainly not, or nobody can tell. */
export type Told = 'written' | 'not written' | 'unknown';

/**
 * A declaration that was sent, and repeated when its outcome was not known; `times`: how often it may have been
 * written; `endedMs`: when it was answered at last, or when at the latest it could have been.
 */
export interface SentRecord {
  /** The invoice, unlike those of other suppliers. */
  readonly invoice: string;
  readonly notes: string;
  readonly amount: number;
  readonly told: Told;
  readonly times: number;
  readonly beganMs: number;
  readonly endedMs: number;
}

/** An entry of an invoice's history. */
export interface StoredRevision {
  readonly revision: number;
  readonly notes: string;
  readonly amount: number;
}

/** An invoice as it is stored, and its history in the order of the revisions. */
export interface StoredInvoice {
  readonly invoice: string;
  readonly version: number;
  readonly current: StoredRevision | null;
  readonly history: readonly StoredRevision[];
}

/** Everything in the tables that contradicts what the clients were told, one sentence each. */
export function findViolations(sent: readonly SentRecord[], stored: readonly StoredInvoice[]): string[] {
  const sentOf = Map.groupBy(sent, ({ invoice }) => invoice);
  const existing = new Set(stored.map(({ invoice }) => invoice));
  const absent = [...sentOf.keys()].filter((id) => !existing.has(id));
  return [
    ...absent.flatMap((id) => outcomeViolations(sentOf.get(id) ?? [], [])),
    ...stored.flatMap((invoice) => {
      const own = sentOf.get(invoice.invoice) ?? [];
      return [
        ...outcomeViolations(own, invoice.history),
        ...foreignViolations(own, invoice.history),
        ...orderViolations(own, invoice.history),
        ...repeatViolations(invoice.history),
        ...stateViolations(invoice),
      ].map((violation) => `invoice ${invoice.invoice}: ${violation}`);
    }),
  ];
}

function outcomeViolations(sent: readonly SentRecord[], history: readonly StoredRevision[]): string[] {
  return sent.flatMap(({ told, notes, times: most }) => {
    const times = history.filter((revision) => revision.notes === notes).length;
    const isAllowed = times >= (told === 'written' ? 1 : 0) && times <= most;
    return isAllowed ? [] : [`"${notes}" was told to be ${told}, and stands there ${times} times`];
  });
}

/** What stands already is not written again. */
function repeatViolations(history: readonly StoredRevision[]): string[] {
  return history
    .filter(({ notes, amount }, index) => history[index - 1]?.notes === notes && history[index - 1]?.amount === amount)
    .map(({ revision }) => `revision ${revision} repeats the one before it`);
}

function foreignViolations(sent: readonly SentRecord[], history: readonly StoredRevision[]): string[] {
  const amounts = new Map(sent.map(({ notes, amount }) => [notes, amount]));
  return history
    .filter(({ notes, amount }) => amounts.get(notes) !== amount)
    .map(({ notes, amount, revision }) => `revision ${revision} (${amount}, "${notes}") was not sent like that`);
}

/** What had ended before a declaration began that succeeded must not come after it. */
function orderViolations(sent: readonly SentRecord[], history: readonly StoredRevision[]): string[] {
  const lastOf = new Map(history.map(({ notes, revision }) => [notes, revision]));
  const firstOf = new Map(history.toReversed().map(({ notes, revision }) => [notes, revision]));
  const written = sent.filter(({ told }) => told === 'written');
  return sent.flatMap((earlier) => {
    const revision = lastOf.get(earlier.notes) ?? 0;
    const overtaken = written.find(
      ({ beganMs, notes }) => beganMs > earlier.endedMs && (firstOf.get(notes) ?? Number.POSITIVE_INFINITY) < revision,
    );
    return overtaken ? [`"${earlier.notes}" (${earlier.told}) came over the later "${overtaken.notes}"`] : [];
  });
}

function stateViolations({ version, current, history }: StoredInvoice): string[] {
  const violations: string[] = [];
  const gap = history.findIndex(({ revision }, index) => revision !== index + 1);
  if (gap >= 0) violations.push(`there is no revision ${gap + 1}`);
  const last = history.at(-1);
  const shown = current && `${current.revision} ${current.amount} ${current.notes}`;
  if (shown !== (last ? `${last.revision} ${last.amount} ${last.notes}` : null)) {
    violations.push(`it shows ${shown ?? 'no declaration'}, which is not its last revision`);
  }
  if (version !== history.length + 1) violations.push(`its version is ${version} after ${history.length} declarations`);
  return violations;
}
