import { ServiceError } from '../domain/errors.ts';
import { LoginBlocked, type LoginGuard } from '../rate-limit/login-guard.ts';
import type { After, PortalMiddleware } from './chain.ts';
import type { RequestState } from '../endpoints/endpoint.ts';

/**
 * Answers every attempt of a blocked source with the time to wait and without rate headers, a malformed one too; the
 * log line says that it was refused. `tellsFailures`: the rate headers of a malformed attempt tell what is left of the
 * source's failures.
 */
export function loginBlock(
  guard: Pick<LoginGuard, 'look'>,
  { tellsFailures }: { readonly tellsFailures: boolean },
): PortalMiddleware<RequestState & After<'unexpectedErrors'>> {
  return {
    async onError(request) {
      const { state } = request.event;
      // Only an attempt that fails anyway, and whose source was not looked at, pays for the look.
      if (isMalformed(request.error, state)) {
        try {
          const status = await guard.look(state.sourceIp);
          if (tellsFailures) state.rate = status;
        } catch (error) {
          // Without the guard it gets its own answer: that tells nothing of any password.
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

/** Whether an attempt was refused for its form, before its credentials were judged. */
function isMalformed(error: unknown, { identity, loginRefused }: RequestState): boolean {
  const isRefused = error instanceof ServiceError && ['VALIDATION_ERROR', 'UNAUTHORIZED'].includes(error.code);
  return isRefused && !identity && !loginRefused;
}
