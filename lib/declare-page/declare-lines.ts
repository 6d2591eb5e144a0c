import { type BatchResult, DECLARATION_LIMITS, PortalError, type ResponseInfo } from '../client/index.ts';
import { splitIntoChunks } from '../runtime/pages.ts';
import { type LineResult, type RunOptions, toRejection } from './line-result.ts';

const BATCH_SIZE = DECLARATION_LIMITS.declarations.maxItems;

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
