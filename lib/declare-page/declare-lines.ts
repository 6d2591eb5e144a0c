import { type BatchResult, DECLARATION_LIMITS, PortalError, type ResponseInfo } from '../client/index.ts';
import { splitIntoChunks } from '../runtime/pages.ts';
import { type LineResult, type RunOptions, toRejection } from './line-result.ts';

/** Declares lines until a batch fails. A line can be declared again: the service saves equal declarations only once. */
export async function declareLines(lines: readonly LineResult[], options: RunOptions): Promise<void> {
  for (const batch of splitIntoChunks(lines, DECLARATION_LIMITS.declarations.maxItems)) {
    await declareBatch(batch, options);
    options.onProgress(batch.length);
  }
}

async function declareBatch(batch: readonly LineResult[], { client, signal }: RunOptions): Promise<void> {
  const onResponse = ({ requestId }: ResponseInfo) => {
    for (const result of batch) result.requestId = requestId;
  };
  const declarations = batch.map(({ declaration }) => declaration);
  try {
    const { results } = await client.declareBatch(declarations, { signal, onResponse });
    for (const [index, result] of batch.entries()) Object.assign(result, toItemResult(results[index]));
  } catch (error) {
    // The outcome is unknown, because an attempt without a response can have saved the batch.
    for (const result of batch) {
      result.outcome = 'unknown';
      if (error instanceof PortalError) result.error = error;
    }
    throw error;
  }
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
