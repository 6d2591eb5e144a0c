import type { RequestState } from '../../../lib/http/chain.ts';
import { Logger } from '../../../lib/runtime/logger.ts';

/** The state of a request as the pipeline begins it, with what the middleware of a test would have added. */
export function buildRequestState<Added extends object>(added: Added, receivedAt = new Date()): RequestState & Added {
  return {
    requestId: 'request-1',
    receivedAt,
    language: 'en',
    logger: new Logger(),
    sourceIp: '192.0.2.1',
    rate: null,
    ...added,
  };
}
