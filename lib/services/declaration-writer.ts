import { NothingWritten, ServiceError } from '../domain/errors.ts';
import type { Invoice, SupplierScope } from '../domain/invoice.ts';
import * as texts from '../domain/texts.ts';
import { attempts } from '../runtime/attempts.ts';
import type { DeclarationChange, Submission, SubmissionPlan, SubmissionResult } from './plan-declarations.ts';
import type { Commit } from './transactions.ts';

/** What writing declarations takes. */
export interface DeclarationWriter {
  readonly commit: Commit<DeclarationChange>;
  readonly scope: SupplierScope;
  /** What the declarations of a submission come to. */
  readonly plan: (submission: Submission) => SubmissionPlan;
}

/**
 * Writes submissions of different invoices, in one transaction if possible; the results come in any order. What loses a
 * race, or what the store refuses, gets transactions of its own, so that the others do not fail with it.
 */
export async function writeTogether(
  writer: DeclarationWriter,
  submissions: readonly Submission[],
  shard: number,
): Promise<SubmissionResult[]> {
  const { commit, scope, plan } = writer;
  let group = submissions;
  for await (const round of attempts()) {
    const plans = group.map(plan);
    const changes = plans.flatMap(({ change }) => change ?? []);
    if (changes.length === 0) return plans;
    if (changes.length < plans.length) {
      // What changes nothing is answered as it was read, whatever becomes of the others.
      const changing = group.filter((_, index) => plans[index]?.change);
      return [...plans.filter(({ change }) => !change), ...(await writeTogether(writer, changing, shard))];
    }
    try {
      const outcome = await commit(scope, changes, shard + round);
      if (outcome.kind === 'committed') return plans;
      const changed = new Map(outcome.current.map((invoice) => [invoice.invoiceId, invoice]));
      group = group.map(({ invoice, requests }) => ({ invoice: changed.get(invoice.invoiceId) ?? invoice, requests }));
      if (group.length === 1) continue;
      if (changed.size > 0) return await writeParts(writer, apart(group, changed), shard);
    } catch (cause) {
      if (cause instanceof NothingWritten) return writeInHalves(writer, group, shard, cause);
      return group.map((submission) => failed(submission, OUTCOME_UNKNOWN, cause));
    }
    // The next round may succeed; if it does not either, the group is divided, so that the others need not wait.
    if (round > 1) return writeParts(writer, halvesOf(group), shard);
  }
  return group.map((submission) => failed(submission, NOT_WRITTEN, new Error('Others kept changing the invoice.')));
}

async function writeParts(
  writer: DeclarationWriter,
  parts: readonly (readonly Submission[])[],
  shard: number,
): Promise<SubmissionResult[]> {
  return (await Promise.all(parts.map((part, index) => writeTogether(writer, part, shard + index)))).flat();
}

/** Writes what was refused in smaller parts, down to the one declaration that the store refuses. */
async function writeInHalves(
  writer: DeclarationWriter,
  group: readonly Submission[],
  shard: number,
  cause: NothingWritten,
): Promise<SubmissionResult[]> {
  const [only, ...others] = group;
  if (!only || others.length > 0) return writeParts(writer, halvesOf(group), shard);
  if (only.requests.length === 1) return [failed(only, NOT_WRITTEN, cause)];
  const [earlier, later] = halvesOf(only.requests);
  const first = await writeTogether(writer, [{ ...only, requests: earlier }], shard);
  const second = await writeTogether(
    writer,
    first.map(({ invoice }) => ({ invoice, requests: later })),
    shard,
  );
  const results = [...first, ...second].flatMap((part) => part.results);
  return second.map(({ invoice }) => ({ invoice, results }));
}

/** Each submission of a changed invoice by itself, and the others together. */
function apart(group: readonly Submission[], changed: ReadonlyMap<string, Invoice>): Submission[][] {
  const { alone = [], together } = Object.groupBy(group, ({ invoice }) =>
    changed.has(invoice.invoiceId) ? 'alone' : 'together',
  );
  return [...alone.map((submission) => [submission]), ...(together ? [together] : [])];
}

function halvesOf<Item>(items: readonly Item[]): [Item[], Item[]] {
  const middle = Math.ceil(items.length / 2);
  return [items.slice(0, middle), items.slice(middle)];
}

const NOT_WRITTEN = { text: texts.notWritten, reason: 'not-written' } as const;
const OUTCOME_UNKNOWN = {
  text: texts.outcomeUnknown,
  reason: 'unknown-outcome',
} as const;

function failed(
  { invoice, requests }: Submission,
  { text, reason }: typeof NOT_WRITTEN | typeof OUTCOME_UNKNOWN,
  cause: unknown,
): SubmissionResult {
  const error = new ServiceError('INTERNAL_ERROR', text, { reason, cause });
  // The next declaration is then written in any case, so that a late write of this one cannot replace it.
  const isUncertain = reason === 'unknown-outcome';
  return {
    invoice: isUncertain ? { ...invoice, declaredOutcome: null } : invoice,
    results: requests.map((request) => [request, { kind: 'rejected', error }]),
  };
}
