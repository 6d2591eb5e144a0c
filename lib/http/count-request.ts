import type { Session } from '../access/access-rules.ts';
import { PORTAL_POLICIES } from '../domain/policies.ts';
import type { RateDecision, SlidingWindow } from '../access/sliding-window.ts';
import type { AccessKind, UserReference } from '../domain/directory.ts';
import type { RequestState } from './chain.ts';

export type RequestLimiter = Pick<SlidingWindow, 'count'>;

/** The decision of the limiter; it has no `status` if the limiter could not be reached. */
export type LimitDecision = RateDecision | { readonly kind: 'allowed' };

/**
 * Builds the subject of the counter of a user's requests, such as `demo.example#77`. After sessions were ended, it
 * contains the cutoff too, so that requests with a revoked token do not use the limit of the open sessions.
 */
export function buildRateLimitSubject(
  { tenant, userId }: UserReference,
  { tokensNotBeforeMs }: Pick<Session, 'tokensNotBeforeMs'>,
): string {
  return tokensNotBeforeMs ? `${tenant}#${userId}#${tokensNotBeforeMs}` : `${tenant}#${userId}`;
}

/** Counts a request, and sets the values of its rate headers. If the limiter fails, the request is allowed. */
export async function countRequest(
  limiter: RequestLimiter,
  accessKind: AccessKind,
  subject: string,
  state: RequestState,
): Promise<LimitDecision> {
  try {
    const decision = await limiter.count(subject, PORTAL_POLICIES[accessKind], state.receivedAt);
    state.rate = decision.status;
    return decision;
  } catch (error) {
    // The limit protects the service, not the data. Therefore a request that cannot be counted is accepted.
    state.limiterUnavailable = true;
    state.logger.warn('The rate limiter could not be reached.', { error });
    return { kind: 'allowed' };
  }
}
