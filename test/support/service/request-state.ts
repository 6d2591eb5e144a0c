import type { RequestState } from '../../../lib/http/chain.ts';
import { Logger } from '../../../lib/runtime/logger.ts';

/** Builds the initial state of a request, plus the properties that earlier middleware would add. */
export function buildRequestState<Added extends object>(added: Added, receivedAt = new Date()): RequestState & Added {
  return {
    requestId: 'request-1',
    receivedAt,
    language: 'en',
    logger: new Logger(),
    source: '192.0.2.1',
    rate: null,
    ...added,
  };
}
