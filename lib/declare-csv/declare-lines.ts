import { DECLARATION_LIMITS, PortalError } from '../client/index.ts';
import type { AmountCheck, BatchResult, PortalClient, PortalFailure, ResponseInfo } from '../client/index.ts';
import { toErrorObject } from '../contracts/to-response.ts';
import { ServiceError } from '../domain/errors.ts';
import type { Language } from '../domain/language.ts';
import { splitIntoChunks } from '../runtime/pages.ts';
import { checkAmount, findInvoices, type ListedInvoice } from './check-amounts.ts';
import type { InvoiceLine } from './read-invoices.ts';
import type { runTexts } from './run-texts.ts';
import type { Progress } from './terminal.ts';

export interface DeclareOptions {
  readonly checkOnly: boolean;
  /** True if only lines that would be approved automatically are declared. */
  readonly holdReview: boolean;
  /** Asks if the lines are declared, after a check of all lines. */
  readonly confirm?: ((results: readonly LineResult[]) => Promise<boolean>) | undefined;
  readonly client: PortalClient;
  /** The language of the errors that are found without the service. */
  readonly language: Language;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

export type Outcome = keyof typeof runTexts.outcomes;

type ResultTolerance = Pick<AmountCheck, 'action' | 'difference' | 'difference_pct'> &
  Partial<Pick<AmountCheck, 'within_tolerance'>>;

/** A line with its result. If no request contained the line, the result is only the outcome. */
export interface LineResult extends InvoiceLine {
  outcome: Outcome;
  /** The tolerance result of the declaration or, without a declaration, of the check before it. */
  tolerance?: ResultTolerance | undefined;
  declarationId?: string | undefined;
  error?: { readonly code: string; readonly message: string };
  /** The id with which the operators find the last request that contained the line. */
  requestId?: string | null | undefined;
}

/** The results of a run, in the order of the lines, and, if it stopped early, the error that stopped it. */
export interface Run {
  readonly results: readonly LineResult[];
  readonly isDeclined?: boolean;
  readonly stoppedBy?: unknown;
}

const BATCH_SIZE = DECLARATION_LIMITS.declarations.maxItems;

/**
 * Logs in, and declares the lines in batches. With `checkOnly`, `holdReview` or `confirm` it checks every line first. It
 * never throws: see `stoppedBy`.
 */
export async function declareLines(lines: readonly InvoiceLine[], options: DeclareOptions): Promise<Run> {
  const outcome = options.checkOnly ? 'not_checked' : 'not_declared';
  const { client, signal, progress, checkOnly, holdReview, confirm } = options;
  const results = lines.map((line): LineResult => ({ outcome, ...line }));
  try {
    // A rejected login is reported once, and not for every line.
    await client.login({ signal });
    // Otherwise, the lines are not checked: the batch itself rejects invalid items.
    if (checkOnly || holdReview || confirm) await checkAmounts(results, options);
    progress.end();
    if (checkOnly) return { results };
    if (confirm && !(await confirm(results))) return { results, isDeclined: true };
    await declareBatches(results, options);
    return { results };
  } catch (stoppedBy) {
    return { results, stoppedBy };
  } finally {
    progress.end();
  }
}

/** Checks the lines with the list of invoices; only other invoices are checked one by one. */
async function checkAmounts(results: readonly LineResult[], options: DeclareOptions): Promise<void> {
  const { client, progress, signal } = options;
  progress.begin('checking', results.length);
  const uncheckedById = new Map(results.map((result) => [result.declaration.invoice_id, result]));
  for await (const listed of findInvoices(uncheckedById.keys(), client, signal)) {
    const { invoice_id: id } = listed.row;
    const result = uncheckedById.get(id);
    if (!result || !(await checkLine(result, options, listed))) continue;
    uncheckedById.delete(id);
    progress.advance(1);
  }
  for (const result of uncheckedById.values()) {
    await checkLine(result, options);
    progress.advance(1);
  }
}

/**
 * Checks a line with its invoice in the list or, without it, by a request. Returns false if the list does not show the
 * result. A line that will be declared keeps its outcome.
 */
async function checkLine(result: LineResult, options: DeclareOptions, listed?: ListedInvoice): Promise<boolean> {
  const { client, signal, checkOnly, holdReview, language } = options;
  const { invoice_id, amount } = result.declaration;
  const onResponse = ({ requestId }: ResponseInfo) => void (result.requestId = requestId);
  try {
    const check = listed
      ? checkAmount(listed, amount)
      : await client.validateAmount({ invoice_id, amount }, { signal, onResponse });
    if (!check) return false;
    result.tolerance = check;
    if (holdReview && check.action === 'REVIEW') result.outcome = 'held';
    else if (checkOnly) result.outcome = getExpectedOutcome(check);
  } catch (error) {
    const failure = error instanceof ServiceError ? toErrorObject(error, language) : error;
    // After any other error, the next line would fail, too.
    if (!isLineError(failure)) throw error;
    Object.assign(result, toRejection(failure));
  }
  return true;
}

/** Returns the outcome that declaring a checked amount would have. */
export const getExpectedOutcome = ({ action }: Pick<AmountCheck, 'action'>): Outcome =>
  action === 'REVIEW' ? 'would_go_to_review' : 'would_be_approved';

type LineError = Pick<PortalFailure, 'code' | 'message' | 'details'>;

const isLineError = (error: unknown): error is LineError =>
  ['NOT_FOUND', 'VALIDATION_ERROR'].includes((error as Partial<LineError>).code ?? '');

/** Declares the lines that have no outcome yet, batch by batch; throws the error of the first failed batch. */
async function declareBatches(
  results: readonly LineResult[],
  { client, progress, signal }: DeclareOptions,
): Promise<void> {
  const pending = results.filter(({ outcome }) => outcome === 'not_declared');
  if (pending.length > 0) progress.begin('declaring', pending.length);
  for (const batch of splitIntoChunks(pending, BATCH_SIZE)) {
    // Only if every attempt has a 4xx response, the batch was certainly not saved. An attempt with a 5xx, or without a
    // response, can have been saved.
    let responses4xx = 0;
    let isEveryAttempt4xx = true;
    const onResponse = ({ status, requestId, attempts }: ResponseInfo) => {
      if (status >= 400 && status < 500) responses4xx += 1;
      isEveryAttempt4xx = responses4xx === attempts;
      for (const result of batch) result.requestId = requestId;
    };
    try {
      const declarations = batch.map(({ declaration }) => declaration);
      const response = await client.declareBatch(declarations, { signal, onResponse });
      for (const [index, result] of batch.entries()) Object.assign(result, toItemResult(response.results[index]));
    } catch (error) {
      const hasResponse = error instanceof PortalError && error.status !== null;
      for (const result of batch) {
        result.outcome = hasResponse && isEveryAttempt4xx ? 'not_declared' : 'unknown';
        if (error instanceof PortalError) result.error = error;
      }
      throw error;
    }
    progress.advance(batch.length);
  }
}

function toItemResult(item: BatchResult['results'][number] | undefined): Partial<LineResult> {
  if (!item) return { outcome: 'unknown' };
  if (item.success) {
    const { tolerance, declaration_id: declarationId } = item;
    return { outcome: tolerance.action === 'REVIEW' ? 'review' : 'approved', tolerance, declarationId };
  }
  const rejection = toRejection(item.error);
  // After an INTERNAL_ERROR, the declaration may have been saved.
  return item.error.code === 'INTERNAL_ERROR' ? { ...rejection, outcome: 'unknown' } : rejection;
}

/** Returns the result of a rejected line; its error has the invalid properties or, without details, the message. */
function toRejection({ code, message, details = [] }: LineError) {
  const errors = details.map(({ property, constraints }) => `${property}: ${Object.values(constraints).join(', ')}`);
  // The position in a batch is not the line in the file.
  const description = errors.join('; ').replaceAll(/declarations\[\d+\]\./g, '') || message;
  return { outcome: 'rejected', tolerance: undefined, error: { code, message: description } } as const;
}
