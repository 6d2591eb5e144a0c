import { DECLARATION_LIMITS, PortalError } from '../client/index.ts';
import type { BatchResult, PortalClient, PortalFailure, ResponseInfo, ToleranceOutcome } from '../client/index.ts';
import { toErrorObject } from '../contracts/to-response.ts';
import { ServiceError } from '../domain/errors.ts';
import type { Language } from '../domain/language.ts';
import { splitIntoChunks } from '../runtime/pages.ts';
import { checkAmount, findInvoices, type ListedInvoice } from './check-amounts.ts';
import type { outcomeTexts } from './page-texts.ts';
import type { InvoiceLine } from './select-rows.ts';

export type Outcome = keyof typeof outcomeTexts;

/** A line of the file with its result so far. */
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

type LineError = Pick<PortalFailure, 'code' | 'message' | 'details'>;

const BATCH_SIZE = DECLARATION_LIMITS.declarations.maxItems;

/** The outcomes of the lines that `declareLines` can send after a check, or after a run that stopped. */
const DECLARABLE: readonly Outcome[] = ['would_be_approved', 'would_go_to_review', 'not_declared', 'unknown'];

/** True if a line was sent to be declared. */
export function hasDeclared(results: readonly LineResult[]): boolean {
  return results.some(({ outcome }) => ['approved', 'review', 'unknown', 'not_declared'].includes(outcome));
}

/** Returns the lines that are checked next. */
export function selectUnchecked(results: readonly LineResult[]): LineResult[] {
  return results.filter(({ outcome }) => outcome === 'not_checked');
}

/** Returns the lines that are declared next. If `isReviewHeld` is true, lines that would go to review are not declared. */
export function selectDeclarable(results: readonly LineResult[], isReviewHeld: boolean): LineResult[] {
  return results.filter(({ outcome, tolerance }) => {
    const isHeld = isReviewHeld && tolerance?.action === 'REVIEW' && outcome !== 'unknown';
    return DECLARABLE.includes(outcome) && !isHeld;
  });
}

/** Checks the unchecked lines: the listed ones first, then the others one by one. Throws the error that stops it. */
export async function checkLines(results: readonly LineResult[], options: RunOptions): Promise<void> {
  const { client, signal, onProgress } = options;
  const uncheckedById = new Map(selectUnchecked(results).map((result) => [result.declaration.invoice_id, result]));
  for await (const listed of findInvoices(uncheckedById.keys(), client, signal)) {
    const { invoice_id: id } = listed.row;
    const result = uncheckedById.get(id);
    if (!result || !(await checkLine(result, options, listed))) continue;
    uncheckedById.delete(id);
    onProgress(1);
  }
  for (const result of uncheckedById.values()) {
    await checkLine(result, options);
    onProgress(1);
  }
}

/** Checks a line by the list or, without a listed invoice, by a request. Returns false if the list is not enough. */
async function checkLine(result: LineResult, options: RunOptions, listed?: ListedInvoice): Promise<boolean> {
  const { client, signal, language } = options;
  const { invoice_id, amount } = result.declaration;
  const onResponse = ({ requestId }: ResponseInfo) => {
    result.requestId = requestId;
  };
  try {
    const check = listed
      ? checkAmount(listed, amount)
      : await client.validateAmount({ invoice_id, amount }, { signal, onResponse });
    if (!check) return false;
    result.tolerance = check;
    result.outcome = check.action === 'REVIEW' ? 'would_go_to_review' : 'would_be_approved';
  } catch (error) {
    const failure = error instanceof ServiceError ? toErrorObject(error, language) : error;
    // After any other error, the next line would fail, too.
    if (!isLineError(failure)) throw error;
    Object.assign(result, toRejection(failure));
  }
  return true;
}

function isLineError(error: unknown): error is LineError {
  const { code = '' } = error as Partial<LineError>;
  return code === 'NOT_FOUND' || code === 'VALIDATION_ERROR';
}

/** Declares lines until a batch fails. A line can be declared again: the service saves equal declarations only once. */
export async function declareLines(lines: readonly LineResult[], options: RunOptions): Promise<void> {
  for (const batch of splitIntoChunks(lines, BATCH_SIZE)) {
    await declareBatch(batch, options);
    options.onProgress(batch.length);
  }
}

async function declareBatch(batch: readonly LineResult[], { client, signal }: RunOptions): Promise<void> {
  let attemptCount = 0;
  let rejectionCount = 0;
  const onResponse = ({ status, requestId, attempts }: ResponseInfo) => {
    attemptCount = attempts;
    if (status >= 400 && status < 500) rejectionCount += 1;
    for (const result of batch) result.requestId = requestId;
  };
  const declarations = batch.map(({ declaration }) => declaration);
  try {
    const { results } = await client.declareBatch(declarations, { signal, onResponse });
    for (const [index, result] of batch.entries()) Object.assign(result, toItemResult(results[index]));
  } catch (error) {
    const hasResponse = error instanceof PortalError && error.status !== null;
    // An attempt with a 5xx response, or without a response, can have saved the batch.
    const canBeSaved = !hasResponse || rejectionCount < attemptCount;
    for (const result of batch) setFailure(result, error, canBeSaved);
    throw error;
  }
}

function setFailure(result: LineResult, error: unknown, canBeSaved: boolean): void {
  // An earlier run can have saved a line whose outcome is unknown.
  const isUnknown = canBeSaved || result.outcome === 'unknown';
  result.outcome = isUnknown ? 'unknown' : 'not_declared';
  if (error instanceof PortalError) result.error = error;
}

function toItemResult(item: BatchResult['results'][number] | undefined): Partial<LineResult> {
  if (!item) return { outcome: 'unknown' };
  if (item.success) {
    const { tolerance, declaration_id: declarationId } = item;
    const outcome = tolerance.action === 'REVIEW' ? 'review' : 'approved';
    return { outcome, tolerance, declarationId, error: undefined };
  }
  const rejection = toRejection(item.error);
  // After an INTERNAL_ERROR, the declaration may have been saved.
  return item.error.code === 'INTERNAL_ERROR' ? { ...rejection, outcome: 'unknown' } : rejection;
}

/** Returns the result of a rejected line. The error lists the invalid properties or, without details, has the message. */
function toRejection({ code, message, details = [] }: LineError) {
  const errors = details.map(({ property, constraints }) => `${property}: ${Object.values(constraints).join(', ')}`);
  // The names of the properties contain the position in the batch, which is not the line in the file.
  const description = errors.join('; ').replaceAll(/declarations\[\d+\]\./g, '') || message;
  return { outcome: 'rejected', tolerance: undefined, error: { code, message: description } } as const;
}
