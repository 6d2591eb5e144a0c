import { type BatchResult, DECLARATION_LIMITS, PortalError } from '../../index.ts';
import type { DeclareOptions } from './declare-options.ts';
import type { LineResult } from './line-result.ts';
import type { InvoiceLine } from './parse-invoices.ts';

/** How many declarations the service takes at once. */
export const BATCH_SIZE = DECLARATION_LIMITS.declarations.maxItems;

/** Declares the lines that are not dealt with yet, batch by batch; a batch that fails ends it. */
export async function declareBatches(
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
    return { outcome, error: item.error, requestId };
  }
  const { tolerance, declaration_id: declarationId } = item;
  return { outcome: tolerance.action === 'REVIEW' ? 'review' : 'approved', tolerance, declarationId, requestId };
}

function failureOf(error: unknown): Pick<LineResult, 'error' | 'requestId'> {
  if (!(error instanceof PortalError)) return {};
  const { code, message, requestId } = error;
  return { error: { code, message }, requestId };
}
