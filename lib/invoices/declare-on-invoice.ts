import {
  declareAmount,
  type DeclarationContext,
  type DeclarationRequest,
  type DeclarationResult,
} from '../domain/declaration.ts';
import { ServiceError, WriteRejectedError } from '../domain/errors.ts';
import type { Invoice, SupplierScope } from '../domain/invoice.ts';
import * as texts from '../domain/texts.ts';
import { attempts } from '../runtime/attempts.ts';
import type { Commit, InvoiceChange } from './transactions.ts';

export interface DeclarationChange extends InvoiceChange {
  readonly before: Invoice;
}

export interface DeclarationWriter {
  readonly commit: Commit<DeclarationChange>;
  readonly scope: SupplierScope;
  readonly context: DeclarationContext;
}

/** A declaration, with the invoice as it was read. */
export interface Submission {
  readonly invoice: Invoice;
  readonly request: DeclarationRequest;
}

/** A declaration with its result, and the invoice after it. */
export interface SubmissionResult extends Submission {
  readonly result: DeclarationResult;
}

/** The change that a declaration makes (null if it changes nothing), and its result if the change is written. */
export interface PlannedDeclaration {
  readonly submission: Submission;
  readonly change: DeclarationChange | null;
  readonly planned: SubmissionResult;
}

/**
 * Declares an amount on an invoice: evaluates the change, and writes it if the invoice has not changed since it was
 * read. After a conflict, it evaluates the change again with the current invoice.
 */
export async function declareOnInvoice(
  writer: DeclarationWriter,
  { invoice, request }: Submission,
  shard = firstShard(invoice),
): Promise<SubmissionResult> {
  let submission = { invoice, request };
  for await (const round of attempts()) {
    const { change, planned } = planDeclaration(submission, writer.context);
    if (!change) return planned;
    try {
      const outcome = await writer.commit(writer.scope, [change], shard + round);
      if (outcome.kind === 'committed') return planned;
      submission = { invoice: outcome.current[0] ?? submission.invoice, request };
    } catch (cause) {
      return rejectWrite(submission, cause);
    }
  }
  return rejectAsNotWritten(submission, new Error('Others kept changing the invoice.'));
}

/** Decides what a declaration changes. Writes nothing. */
export function planDeclaration(submission: Submission, context: DeclarationContext): PlannedDeclaration {
  const { invoice: before, request } = submission;
  try {
    const { invoice: after, declaration, outcome, revision } = declareAmount(before, request, context);
    const result = { kind: 'declared', declaration, outcome, state: after.state } as const;
    const change = revision && { before, after, revisions: [revision] };
    return { submission, change, planned: { invoice: after, request, result } };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { submission, change: null, planned: { ...submission, result: { kind: 'rejected', error } } };
  }
}

/** Returns the shard of the day counters to begin with: one for each day, so that a day is counted in few shards. */
export function firstShard({ sortDate }: Invoice): number {
  return Number(sortDate.slice(8, 10));
}

/** Rejects a declaration after a failed write with INTERNAL_ERROR, which states whether the write may still succeed. */
export function rejectWrite(submission: Submission, cause: unknown): SubmissionResult {
  if (cause instanceof WriteRejectedError) return rejectAsNotWritten(submission, cause);
  const error = new ServiceError('INTERNAL_ERROR', texts.outcomeUnknown, { reason: 'unknown-outcome', cause });
  // Without an outcome, the invoice equals no later declaration: the next one is written in any case, so that a late
  // write cannot replace it.
  const invoice = { ...submission.invoice, declaredOutcome: null };
  return { ...submission, invoice, result: { kind: 'rejected', error } };
}

/** Rejects a declaration with INTERNAL_ERROR: nothing was written. */
export function rejectAsNotWritten(submission: Submission, cause: unknown): SubmissionResult {
  const error = new ServiceError('INTERNAL_ERROR', texts.notWritten, { reason: 'not-written', cause });
  return { ...submission, result: { kind: 'rejected', error } };
}
