import { rateStatus } from '../rate-limit/rate-status.ts';
import { type Clock } from '../runtime/clock.ts';
import { logger } from '../runtime/logger.ts';
import type { PortalMiddleware, RequestState, Success } from './request-state.ts';
import { type AnswerFormat, respond, toServiceError } from './response.ts';

/** What the shell needs to know of an endpoint; `policy` is the limit that its answers show until the request has been counted. */
export interface ShellOptions {
  readonly name: string;
  readonly policy: { readonly limit: number; readonly windowMs: number } | null;
  readonly format: AnswerFormat;
  readonly clock: Clock;
}

/** The outermost middleware: begins the request's state, and turns what comes out, error or not, into the one kind of answer and one log line. */
export function responseShell({ name, policy, format, clock }: ShellOptions): PortalMiddleware {
  return {
    before({ event }) {
      const receivedAt = clock.now();
      const { requestId } = event.requestContext;
      event.state = {
        requestId,
        receivedAt,
        logger: logger.createChild({ persistentLogAttributes: { request_id: requestId, endpoint: name } }),
        rate: policy && rateStatus(policy, [], receivedAt.getTime()),
      };
    },
    after(request) {
      const { state } = request.event;
      const response = respond(format.success(request.response as Success), state);
      request.response = response;
      state.logger.info('request', summary(state, response.statusCode));
    },
    onError(request) {
      const { state } = request.event;
      const error = toServiceError(request.error);
      const response = respond(format.error(error), state);
      request.response = response;
      const entry = { ...summary(state, response.statusCode), code: error.code };
      if (response.statusCode < 500) state.logger.info('request', entry);
      else state.logger.error('request', { ...entry, error: error.cause instanceof Error ? error.cause : error });
    },
  };

  function summary({ receivedAt, tenant, token, caller }: RequestState, status: number) {
    const durationMs = clock.now().getTime() - receivedAt.getTime();
    return {
      status,
      duration_ms: durationMs,
      tenant,
      user_id: token?.userId ?? caller?.userId,
      supplier_id: caller?.scope.supplierId ?? token?.supplierId,
    };
  }
}
