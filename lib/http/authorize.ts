import { requireIdentity, requireSupplier } from '../auth/access-rules.ts';
import { hashApiKey } from '../auth/api-keys.ts';
import type { AccessKind, AccessSnapshot, UserReference } from '../domain/directory.ts';
import { ServiceError, whileVerifying } from '../domain/errors.ts';
import { PORTAL_POLICIES, type RatePolicy } from '../rate-limit/policies.ts';
import type { RateDecision } from '../rate-limit/sliding-window.ts';
import { countEvent } from '../runtime/metrics.ts';
import { headerOf } from './headers.ts';
import { established, type PortalMiddleware, type RequestState } from './request-state.ts';

/** What decides on a request, besides its token. */
export interface AccessPorts {
  readSnapshot(reference: UserReference, apiKeyHash: string | null): Promise<AccessSnapshot>;
  countRequest(subject: string, policy: RatePolicy, now: Date): Promise<RateDecision>;
}

/** Requires what the access rules ask for, as it stands at this moment, and a place in the rate limit; both are asked for side by side. */
export function authorize(kind: AccessKind, ports: AccessPorts): PortalMiddleware {
  return {
    async before({ event }) {
      const { state } = event;
      const token = established(state.token, 'token');
      const apiKey = headerOf(event, 'x-api-key');
      const apiKeyHash = apiKey === undefined ? null : hashApiKey(apiKey);
      const [decision, snapshot] = await Promise.allSettled([
        ports.countRequest(`${token.tenant}#${token.userId}`, PORTAL_POLICIES[kind], state.receivedAt),
        whileVerifying(ports.readSnapshot(token, apiKeyHash)),
      ]);
      if (decision.status === 'fulfilled') state.rate = decision.value.status;
      else reportUncounted(state, decision.reason);

      if (snapshot.status === 'rejected') throw snapshot.reason as Error;
      const user = requireIdentity(snapshot.value, token.tenant, state.receivedAt);
      if (decision.status === 'fulfilled' && decision.value.retryAfterSeconds !== undefined) {
        state.retryAfterSeconds = decision.value.retryAfterSeconds;
        throw new ServiceError('RATE_LIMITED', 'Too many requests. Retry after the time given in Retry-After.');
      }
      state.caller = requireSupplier(snapshot.value, user, token.tenant, kind);
    },
  };
}

// A counter that cannot be reached lets the request go on: it protects the service, it does not guard the data.
function reportUncounted({ logger }: RequestState, error: unknown): void {
  countEvent('RateLimiterUnavailable');
  logger.warn('The rate limiter could not be reached.', { error });
}
