import { ServiceError } from '../domain/errors.ts';
import { LoginBlocked, type LoginGuard } from '../rate-limit/login-guard.ts';
import type { After, PortalMiddleware } from './chain.ts';
import type { RequestState } from '../endpoints/endpoint.ts';

/**
 * Adds Retry-After to the response of an attempt that a guard rejected, and removes its rate headers. During a lockout
 * a malformed attempt gets this response too. `tellsFailures`: the rate headers of a malformed attempt show how many
 * failures the source has left.
 */
export function loginBlock(
  guard: Pick<LoginGuard, 'getStatus'>,
  { tellsFailures }: { readonly tellsFailures: boolean },
): PortalMiddleware<RequestState & After<'unexpectedErrors'>> {
  return {
    async onError(request) {
      const { state } = request.event;
      // Only a malformed attempt, whose source the endpoint has not checked, needs this read.
      if (isMalformed(request.error, state)) {
        try {
          const status = await guard.getStatus(state.sourceIp);
          if (tellsFailures) state.rate = status;
        } catch (error) {
          // If the guard cannot be read, the attempt gets its own error, which reveals nothing about a password.
          if (error instanceof LoginBlocked) request.error = error;
          else state.logger.warn('The login guard could not be read.', { error });
        }
      }
      const { error } = request;
      if (!(error instanceof LoginBlocked)) return;
      state.loginRefused = error.reason;
      state.rate = null;
      state.retryAfterSeconds = error.retryAfterSeconds;
    },
  };
}

/** True if an attempt was rejected for its form, before its credentials were checked. */
function isMalformed(error: unknown, { identity, loginRefused }: RequestState): boolean {
  const isRefused = error instanceof ServiceError && ['VALIDATION_ERROR', 'UNAUTHORIZED'].includes(error.code);
  return isRefused && !identity && !loginRefused;
}
