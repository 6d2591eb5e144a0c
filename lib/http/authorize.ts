import { type Caller, requireIdentity, requireOpenSession, requireSupplier } from '../auth/access-rules.ts';
import type { AccessKind, AccessSnapshot, UserReference } from '../domain/directory.ts';
import { ServiceError, whileVerifying } from '../domain/errors.ts';
import { tooManyRequests } from '../domain/texts.ts';
import { PORTAL_POLICIES, type RatePolicy } from '../rate-limit/policies.ts';
import type { RateDecision } from '../rate-limit/sliding-window.ts';
import type { Authenticated } from './authenticate.ts';
import { apiKeyHashOf } from './headers.ts';
import { adding, type PortalMiddleware } from './middleware.ts';
import type { RequestState } from './request-state.ts';

/** Counts requests against their limits. */
export interface RequestLimiter {
  readonly count: (subject: string, policy: RatePolicy, now: Date) => Promise<RateDecision>;
}

/** Whether a request may go on, as far as its limit is concerned. */
export type LimitDecision =
  { readonly kind: 'allowed' } | { readonly kind: 'refused'; readonly retryAfterSeconds: number };

/** What decides on a request, besides its token. */
export interface AccessPorts {
  readonly directory: {
    readonly readSnapshot: (reference: UserReference, apiKeyHash: string | null) => Promise<AccessSnapshot>;
  };
  readonly limiter: RequestLimiter;
}

/** Requires what the access rules ask for, and a place in the rate limit; it reads both side by side. */
export function authorize(
  access: AccessKind,
  { directory, limiter }: AccessPorts,
): PortalMiddleware<RequestState & Authenticated, { readonly caller: Caller }> {
  return adding(async ({ event }) => {
    const { state } = event;
    const { identity } = state;
    const snapshotRead = whileVerifying(directory.readSnapshot(identity, apiKeyHashOf(event)));
    // Both are waited for, so that the answer to a failed read carries the rate headers too.
    const [[snapshot], limit] = await Promise.all([
      Promise.allSettled([snapshotRead]),
      countRequest(limiter, access, identity, state),
    ]);
    if (snapshot.status === 'rejected') throw snapshot.reason as Error;
    const credentials = { tenant: identity.tenant, issuedAtSeconds: state.tokenIssuedAtSeconds };
    return { caller: requireAccess(snapshot.value, credentials, access, limit, state) };
  });
}

/** Counts the request and puts what the rate headers say into its state. */
export async function countRequest(
  limiter: RequestLimiter,
  access: AccessKind,
  { tenant, userId }: Pick<UserReference, 'tenant' | 'userId'>,
  state: RequestState,
): Promise<LimitDecision> {
  try {
    const decision = await limiter.count(`${tenant}#${userId}`, PORTAL_POLICIES[access], state.receivedAt);
    state.rate = decision.status;
    return decision;
  } catch (error) {
    // Without its counter the request goes on: the limit protects the service, not the data.
    state.limiterUnavailable = true;
    state.logger.warn('The rate limiter could not be reached.', { error });
    return { kind: 'allowed' };
  }
}

/** The access rules in order: key, companies, user, session (null: there is no token), limit, supplier, permission. */
export function requireAccess(
  snapshot: AccessSnapshot,
  { tenant, issuedAtSeconds }: { readonly tenant: string; readonly issuedAtSeconds: number | null },
  access: AccessKind,
  limit: LimitDecision,
  state: RequestState,
): Caller {
  state.apiKeyLast4 = snapshot.apiKey?.last4;
  const user = requireIdentity(snapshot, tenant, state.receivedAt);
  if (issuedAtSeconds !== null) requireOpenSession(user, issuedAtSeconds);
  if (limit.kind === 'refused') {
    state.retryAfterSeconds = limit.retryAfterSeconds;
    throw new ServiceError('RATE_LIMITED', tooManyRequests);
  }
  return requireSupplier(snapshot, user, tenant, access);
}
