import type { PortalClient, PortalFailure, ToleranceOutcome } from '../client/index.ts';
import type { Language } from '../domain/language.ts';
import type { outcomeTexts } from './page-texts.ts';
import type { InvoiceLine } from './select-rows.ts';

/**
 * The outcome of a line. It is `not_checked` until the check, which predicts the outcome of the declaration or rejects
 * the line. The declaration approves the line, sends it to review or rejects it. If its outcome is `unknown`, it may
 * have been saved. Such a line counts as declared, and is declared again: equal declarations are saved only once.
 */
export type Outcome = keyof typeof outcomeTexts;

/** A line of the file with its result, which changes during the check and the declaration. */
export interface LineResult extends InvoiceLine {
  outcome: Outcome;
  /** The tolerance result of the declaration or, without a declaration, of the check before it. */
  tolerance?: ToleranceOutcome | undefined;
  declarationId?: string | undefined;
  error?: { readonly code: string; readonly message: string } | undefined;
  /** The id of the last request that contained the line. Operators search logs by this id. */
  requestId?: string | null | undefined;
}

export interface RunOptions {
  readonly client: PortalClient;
  /** The language of the errors that are found without the service. */
  readonly language: Language;
  readonly signal: AbortSignal;
  /** Receives the number of lines that the task has finished since the last call. */
  readonly onProgress: (lineCount: number) => void;
}

const DECLARABLE: readonly Outcome[] = ['would_be_approved', 'may_go_to_review', 'would_go_to_review', 'unknown'];

/** True if a line was sent to be declared. */
export function hasDeclared(results: readonly LineResult[]): boolean {
  return results.some(({ outcome }) => ['approved', 'review', 'unknown'].includes(outcome));
}

/** Returns the lines that are still to be checked. */
export function selectUnchecked(results: readonly LineResult[]): LineResult[] {
  return results.filter(({ outcome }) => outcome === 'not_checked');
}

/** Returns the lines to declare. If `skipsReview` is true, lines that can go to review are not declared. */
export function selectDeclarable(results: readonly LineResult[], skipsReview: boolean): LineResult[] {
  return results.filter(({ outcome, tolerance }) => {
    const isSkipped = skipsReview && tolerance?.action === 'REVIEW' && outcome !== 'unknown';
    return DECLARABLE.includes(outcome) && !isSkipped;
  });
}

/** Returns the result of a rejected line. The error lists the invalid properties or, without details, has the message. */
export function toRejection({ code, message, details = [] }: Pick<PortalFailure, 'code' | 'message' | 'details'>) {
  const errors = details.map(({ property, constraints }) => `${property}: ${Object.values(constraints).join(', ')}`);
  // The names of the properties contain the position in the batch, which is not the line in the file.
  const description = errors.join('; ').replaceAll(/declarations\[\d+\]\./g, '') || message;
  return { outcome: 'rejected', tolerance: undefined, error: { code, message: description } } as const;
}
