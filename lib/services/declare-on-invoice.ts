import type { DeclarationContext } from '../domain/declaration.ts';
import { WriteRejectedError, ServiceError } from '../domain/errors.ts';
import type { Invoice, SupplierScope } from '../domain/invoice.ts';
import * as texts from '../domain/texts.ts';
import { attempts } from '../runtime/attempts.ts';
import {
  type DeclarationChange,
  planDeclarations,
  type Submission,
  type SubmissionResult,
} from './plan-declarations.ts';
import type { Commit } from './transactions.ts';

/** The caller of declarations, and the function that writes them. */
export interface DeclarationWriter {
  readonly commit: Commit<DeclarationChange>;
  readonly scope: SupplierScope;
  readonly context: DeclarationContext;
}

/**
 * Declares amounts on one invoice, in their order: evaluates their change, and writes it if the invoice has not changed
 * since it was read. After a conflict, it evaluates the change again with the current invoice.
 */
export async function declareOnInvoice(
  writer: DeclarationWriter,
  { invoice: read, requests }: Submission,
  shard = firstShard(read),
): Promise<SubmissionResult> {
  let invoice = read;
  for await (const round of attempts()) {
    const { change, result } = planDeclarations({ invoice, requests }, writer.context);
    if (!change) return result;
    try {
      const outcome = await writer.commit(writer.scope, [change], shard + round);
      if (outcome.kind === 'committed') return result;
      [invoice = invoice] = outcome.current;
    } catch (cause) {
      if (!(cause instanceof WriteRejectedError)) return rejectAsUnknown({ invoice, requests }, cause);
      if (requests.length === 1) return rejectAsNotWritten({ invoice, requests }, cause);
      return declareInHalves(writer, { invoice, requests }, shard);
    }
  }
  return rejectAsNotWritten({ invoice, requests }, new Error('Others kept changing the invoice.'));
}

/** Declares the earlier half, then the later one, so that only a declaration that the store rejects is not written. */
async function declareInHalves(
  writer: DeclarationWriter,
  { invoice, requests }: Submission,
  shard: number,
): Promise<SubmissionResult> {
  const [earlier, later] = splitInHalves(requests);
  const first = await declareOnInvoice(writer, { invoice, requests: earlier }, shard);
  const second = await declareOnInvoice(writer, { invoice: first.invoice, requests: later }, shard);
  return { invoice: second.invoice, results: [...first.results, ...second.results] };
}

/** Returns the shard of the day counters to begin with: one for each day, so that a day is counted in few shards. */
export function firstShard({ sortDate }: Invoice): number {
  return Number(sortDate.slice(8, 10));
}

/** Returns the first half of the items, which may have one item more, and the second half. */
export function splitInHalves<Item>(items: readonly Item[]): [Item[], Item[]] {
  const middle = Math.ceil(items.length / 2);
  return [items.slice(0, middle), items.slice(middle)];
}

/** Rejects all declarations of a submission with INTERNAL_ERROR: none of them was written. */
export function rejectAsNotWritten({ invoice, requests }: Submission, cause: unknown): SubmissionResult {
  const error = new ServiceError('INTERNAL_ERROR', texts.notWritten, { reason: 'not-written', cause });
  return { invoice, results: requests.map((request) => [request, { kind: 'rejected', error }]) };
}

/**
 * Rejects all declarations of a submission with INTERNAL_ERROR: the write may still succeed. Without an outcome, the
 * invoice equals no later declaration, so the next one is written in any case, and a late write cannot replace it.
 */
export function rejectAsUnknown({ invoice, requests }: Submission, cause: unknown): SubmissionResult {
  const error = new ServiceError('INTERNAL_ERROR', texts.outcomeUnknown, { reason: 'unknown-outcome', cause });
  return {
    invoice: { ...invoice, declaredOutcome: null },
    results: requests.map((request) => [request, { kind: 'rejected', error }]),
  };
}
