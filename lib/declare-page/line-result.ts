import type { PortalClient, PortalFailure, ToleranceOutcome } from '../client/index.ts';
import type { Language } from '../domain/language.ts';
import type { outcomeTexts } from './page-texts.ts';
import type { InvoiceLine } from './select-rows.ts';

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
  /** Receives the number of lines that have got a result since the last call. */
  readonly onProgress: (lineCount: number) => void;
}

/** The outcomes of the lines that can be declared after a check, or after a run that stopped. */
const DECLARABLE: readonly Outcome[] = ['would_be_approved', 'may_go_to_review', 'would_go_to_review', 'unknown'];

/** True if a line was sent to be declared. */
export function hasDeclared(results: readonly LineResult[]): boolean {
  return results.some(({ outcome }) => ['approved', 'review', 'unknown'].includes(outcome));
}

/** Returns the lines that are checked next. */
export function selectUnchecked(results: readonly LineResult[]): LineResult[] {
  return results.filter(({ outcome }) => outcome === 'not_checked');
}

/** Returns the lines that are declared next. If `isReviewHeld` is true, lines that can go to review are not declared. */
export function selectDeclarable(results: readonly LineResult[], isReviewHeld: boolean): LineResult[] {
  return results.filter(({ outcome, tolerance }) => {
    const isHeld = isReviewHeld && tolerance?.action === 'REVIEW' && outcome !== 'unknown';
    return DECLARABLE.includes(outcome) && !isHeld;
  });
}

/** Returns the result of a rejected line. The error lists the invalid properties or, without details, has the message. */
export function toRejection({ code, message, details = [] }: Pick<PortalFailure, 'code' | 'message' | 'details'>) {
  const errors = details.map(({ property, constraints }) => `${property}: ${Object.values(constraints).join(', ')}`);
  // The names of the properties contain the position in the batch, which is not the line in the file.
  const description = errors.join('; ').replaceAll(/declarations\[\d+\]\./g, '') || message;
  return { outcome: 'rejected', tolerance: undefined, error: { code, message: description } } as const;
}
