import {
  type AmountCheck,
  type BatchResult,
  DECLARATION_LIMITS,
  type PortalClient,
  PortalError,
  type PropertyFault,
} from '../../index.ts';
import type { Progress } from './progress.ts';
import type { InvoiceLine } from './read-invoices.ts';
import type { RequestLog } from './request-log.ts';
import type { runTexts } from './run-texts.ts';

/** With what to declare, and how far to go. */
export interface DeclareOptions {
  readonly client: PortalClient;
  /** The one through which the client sends its requests. */
  readonly requests: RequestLog;
  /** Nothing is to be written. */
  readonly checkOnly: boolean;
  /** Only what the check says would be approved automatically is to be declared. */
  readonly holdReview: boolean;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** What can become of a line. */
export type Outcome = keyof typeof runTexts.outcomes;

/** What became of a line; `outcome` is all that is known of one that no request has dealt with. */
export interface LineResult {
  readonly outcome: Outcome;
  /** Of the declaration or, where there is none, of the check before it. */
  readonly tolerance?: Pick<AmountCheck, 'action' | 'difference' | 'difference_pct'>;
  readonly declarationId?: string;
  readonly error?: { readonly code: string; readonly message: string };
  /** By what the operators find the last request that dealt with the line. */
  readonly requestId?: string | null;
}

/** The lines of a file, in their order, with what became of each. */
export type Results = ReadonlyMap<InvoiceLine, LineResult>;

/** What became of every line and, if it ended before all were dealt with, by what. */
export interface Run {
  readonly results: Results;
  readonly stoppedBy?: unknown;
}

const CHECKS_A_MINUTE = 30;
const BATCHES_A_MINUTE = 10;
const BATCH_SIZE = DECLARATION_LIMITS.declarations.maxItems;

/**
 * Logs in, and declares the lines in batches. With `checkOnly` or `holdReview` it checks every line first. It never
 * throws: see `stoppedBy`.
 */
export async function declareLines(lines: readonly InvoiceLine[], options: DeclareOptions): Promise<Run> {
  const outcome = options.checkOnly ? 'not_checked' : 'not_declared';
  const results = new Map<InvoiceLine, LineResult>(lines.map((line) => [line, { outcome }]));
  try {
    // Whom the service does not let in is told once, and not with every line.
    await options.client.login({ signal: options.signal });
    if (needsCheck(options)) await checkAmounts(results, options);
    if (!options.checkOnly) await declareBatches(results, options);
    return { results };
  } catch (stoppedBy) {
    return { results, stoppedBy };
  } finally {
    options.progress.end();
  }
}

/** True if each line is checked by a request of its own: a batch rejects its invalid items without that. */
const needsCheck = ({ checkOnly, holdReview }: Pick<DeclareOptions, 'checkOnly' | 'holdReview'>) =>
  checkOnly || holdReview;

/** Estimates how many minutes the rate limits of the service make so many lines take. */
export function estimatedMinutes(lines: number, options: Pick<DeclareOptions, 'checkOnly' | 'holdReview'>): number {
  const waits = (requests: number, limit: number) => Math.max(0, Math.ceil(requests / limit) - 1);
  const checks = needsCheck(options) ? waits(lines, CHECKS_A_MINUTE) : 0;
  return checks + (options.checkOnly ? 0 : waits(Math.ceil(lines / BATCH_SIZE), BATCHES_A_MINUTE));
}

/** Asks what declaring each line would do, one after the other; what passes and is to be declared keeps its outcome. */
async function checkAmounts(results: Map<InvoiceLine, LineResult>, options: DeclareOptions): Promise<void> {
  const { client, requests, progress, signal } = options;
  progress.begin('checking', results.size);
  for (const [line, { outcome }] of results) {
    const { invoice_id, amount } = line.declaration;
    requests.beginCall();
    try {
      const check = await client.validateAmount({ invoice_id, amount }, { signal });
      results.set(line, {
        outcome: outcomeOf(check, options) ?? outcome,
        tolerance: check,
        requestId: requests.requestId,
      });
    } catch (error) {
      if (!isAboutTheLine(error) || !requests.lastUrl?.endsWith('/validate')) throw error;
      const { code, requestId } = error;
      results.set(line, { outcome: 'rejected', error: { code, message: describeError(error) }, requestId });
    }
    progress.advance(1);
  }
}

function outcomeOf({ action }: AmountCheck, { checkOnly, holdReview }: DeclareOptions): Outcome | undefined {
  if (action === 'REVIEW' && holdReview) return 'held';
  if (!checkOnly) return undefined;
  return action === 'REVIEW' ? 'would_go_to_review' : 'would_be_approved';
}

interface ItemError {
  readonly message: string;
  readonly details?: readonly PropertyFault[];
}

/** Describes an error by its invalid properties, if it names some, else by its message. */
function describeError({ message, details = [] }: ItemError): string {
  const faults = details.map(({ property, constraints }) => `${property}: ${Object.values(constraints).join(', ')}`);
  // The position in a batch is not the line in the file.
  return faults.join('; ').replaceAll(/declarations\[\d+\]\./g, '') || message;
}

/** What says nothing of the next line; after any other error that would fail too. */
function isAboutTheLine(error: unknown): error is PortalError {
  return error instanceof PortalError && (error.code === 'NOT_FOUND' || error.code === 'VALIDATION_ERROR');
}

/** Declares the lines that are not dealt with yet, batch by batch; a batch that fails ends it. */
async function declareBatches(
  results: Map<InvoiceLine, LineResult>,
  { client, requests, progress, signal }: DeclareOptions,
): Promise<void> {
  const pending = [...results].filter(([, { outcome }]) => outcome === 'not_declared');
  if (pending.length > 0) progress.begin('declaring', pending.length);
  for (let start = 0; start < pending.length; start += BATCH_SIZE) {
    const batch = pending.slice(start, start + BATCH_SIZE);
    requests.beginCall();
    try {
      const declarations = batch.map(([{ declaration }]) => declaration);
      const answer = await client.declareBatch(declarations, { signal });
      for (const [index, [line, before]] of batch.entries()) {
        results.set(line, resultOf(answer.results[index], before, requests.requestId));
      }
    } catch (error) {
      const outcome = requests.wasRefused() ? 'not_declared' : 'unknown';
      for (const [line, before] of batch) results.set(line, { ...before, outcome, ...failureOf(error) });
      throw error;
    }
    progress.advance(batch.length);
  }
}

function resultOf(
  item: BatchResult['results'][number] | undefined,
  before: LineResult,
  requestId: string | null,
): LineResult {
  if (!item) return { ...before, outcome: 'unknown', requestId };
  if (!item.success) {
    // It may have been written all the same.
    const outcome = item.error.code === 'INTERNAL_ERROR' ? 'unknown' : 'rejected';
    return { outcome, error: { code: item.error.code, message: describeError(item.error) }, requestId };
  }
  const { tolerance, declaration_id: declarationId } = item;
  return { outcome: tolerance.action === 'REVIEW' ? 'review' : 'approved', tolerance, declarationId, requestId };
}

function failureOf(error: unknown): Pick<LineResult, 'error' | 'requestId'> {
  if (!(error instanceof PortalError)) return {};
  const { code, message, requestId } = error;
  return { error: { code, message }, requestId };
}
