import type { Contract } from '../contracts/contract.ts';
import { rateStatus } from '../rate-limit/rate-status.ts';
import { type Clock } from '../runtime/clock.ts';
import { logger } from '../runtime/logger.ts';
import type { PortalMiddleware, RequestState, Success } from './request-state.ts';
import { errorResponse, successResponse, toServiceError } from './response.ts';

/** The outermost middleware: begins the request's state, and turns what comes out, error or not, into the one kind of answer and one log line. */
export function responseShell(
  { name }: Contract,
  policy: { readonly limit: number; readonly windowMs: number },
  clock: Clock,
): PortalMiddleware {
  return {
    before({ event }) {
      const receivedAt = clock.now();
      const { requestId } = event.requestContext;
      event.state = {
        requestId,
        receivedAt,
        logger: logger.createChild({ persistentLogAttributes: { request_id: requestId, endpoint: name } }),
        rate: rateStatus(policy, [], receivedAt.getTime()),
      };
    },
    after(request) {
      const { state } = request.event;
      request.response = successResponse(request.response as Success, state);
      state.logger.info('request', summary(state, 200));
    },
    onError(request) {
      const { state } = request.event;
      const error = toServiceError(request.error);
      const response = errorResponse(error, state);
      request.response = response;
      const entry = { ...summary(state, response.statusCode), code: error.code };
      if (response.statusCode < 500) state.logger.info('request', entry);
      else state.logger.error('request', { ...entry, error: error.cause instanceof Error ? error.cause : error });
    },
  };

  function summary({ receivedAt, tenant, token }: RequestState, status: number) {
    const durationMs = clock.now().getTime() - receivedAt.getTime();
    return { status, duration_ms: durationMs, tenant, user_id: token?.userId, supplier_id: token?.supplierId };
  }
}
