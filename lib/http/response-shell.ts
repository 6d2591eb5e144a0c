import { rateStatus } from '../rate-limit/rate-status.ts';
import type { Clock } from '../runtime/clock.ts';
import { Logger } from '../runtime/logger.ts';
import { headerValues } from './headers.ts';
import { logRequest } from './log-request.ts';
import type { PortalMiddleware } from './middleware.ts';
import { preferredLanguage } from './preferred-language.ts';
import type { Success } from './request-state.ts';
import { type AnswerFormat, respond, toServiceError } from './response.ts';

/** What the shell knows of an endpoint; `policy` is the limit that answers show until the request has been counted. */
export interface ShellOptions {
  readonly name: string;
  readonly policy: { readonly limit: number; readonly windowMs: number } | null;
  readonly format: AnswerFormat;
  readonly clock: Clock;
}

/**
 * The outermost middleware: begins the request's state, and makes of every result or error one answer and one log line.
 */
export function responseShell({ name, policy, format, clock }: ShellOptions): PortalMiddleware {
  return {
    before({ event }) {
      const receivedAt = clock.now();
      const { requestId } = event.requestContext;
      event.state = {
        requestId,
        receivedAt,
        language: preferredLanguage(headerValues(event, 'accept-language').join()),
        sourceIp: event.requestContext.identity.sourceIp,
        logger: new Logger({ request_id: requestId, endpoint: name }),
        rate: policy && rateStatus(policy, [], receivedAt.getTime()),
      };
    },
    after(request) {
      const { state } = request.event;
      const response = respond(format.success(request.response as Success), state);
      request.response = response;
      logRequest(state, { status: response.statusCode, error: null, now: clock.now() });
    },
    onError(request) {
      const { state } = request.event;
      const error = toServiceError(request.error);
      const response = respond(format.error(error, state.language), state);
      request.response = response;
      logRequest(state, { status: response.statusCode, error, now: clock.now() });
    },
  };
}
