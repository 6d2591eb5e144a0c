import * as rules from '../auth/access-rules.ts';
import type { AccessKind, AccessSnapshot, User, UserReference } from '../domain/directory.ts';
import { ServiceError, whileVerifying } from '../domain/errors.ts';
import { tooManyRequests } from '../domain/texts.ts';
import type { RequestState } from '../endpoints/endpoint.ts';
import { PORTAL_POLICIES, type RatePolicy } from '../rate-limit/policies.ts';
import type { RateDecision } from '../rate-limit/sliding-window.ts';
import { adding, type After, type PortalMiddleware } from './chain.ts';
import type { Authenticated } from './credentials.ts';
import { apiKeyHashOf } from './headers.ts';

/** Counts requests against their limits. */
export interface RequestLimiter {
  readonly count: (subject: string, policy: RatePolicy, now: Date) => Promise<RateDecision>;
}

/** Whether a request may go on, as far as its limit is concerned. */
export type LimitDecision =
  { readonly kind: 'allowed' } | { readonly kind: 'refused'; readonly retryAfterSeconds: number };

/** What decides on a request, besides its credentials. */
export interface AccessPorts {
  readonly directory: {
    readonly readSnapshot: (reference: UserReference, apiKeyHash: string | null) => Promise<AccessSnapshot>;
  };
  readonly limiter: RequestLimiter;
}

/** What the checks below judge: whom the credentials speak for, what the directory holds of them, and the count. */
export interface Access {
  readonly accessKind: AccessKind;
  readonly identity: UserReference;
  readonly snapshot: AccessSnapshot;
  readonly limit: LimitDecision;
}

type Judged = RequestState & Access;
type JudgedUser = Judged & { readonly user: User };

/** Reads the access snapshot beside the rate counter, in one round trip; the checks after it judge both. */
export function readAccess(
  accessKind: AccessKind,
  { directory, limiter }: AccessPorts,
): PortalMiddleware<RequestState & Authenticated, Access> {
  return adding(async ({ event }) => {
    const { state } = event;
    const { identity } = state;
    const snapshotRead = whileVerifying(directory.readSnapshot(identity, apiKeyHashOf(event)));
    // Both are waited for, so that the answer to a failed read carries the rate headers too.
    const [[snapshot], limit] = await Promise.all([
      Promise.allSettled([snapshotRead]),
      countRequest(limiter, accessKind, identity, state),
    ]);
    if (snapshot.status === 'rejected') throw snapshot.reason as Error;
    return { accessKind, identity, snapshot: snapshot.value, limit };
  });
}

/** As whom requests are counted. */
export const limitedSubject = ({ tenant, userId }: Pick<UserReference, 'tenant' | 'userId'>) => `${tenant}#${userId}`;

/** Counts the request and puts what the rate headers say into its state. */
export async function countRequest(
  limiter: RequestLimiter,
  accessKind: AccessKind,
  user: Pick<UserReference, 'tenant' | 'userId'>,
  state: RequestState,
): Promise<LimitDecision> {
  try {
    const decision = await limiter.count(limitedSubject(user), PORTAL_POLICIES[accessKind], state.receivedAt);
    state.rate = decision.status;
    return decision;
  } catch (error) {
    // Without its counter the request goes on: the limit protects the service, not the data.
    state.limiterUnavailable = true;
    state.logger.warn('The rate limiter could not be reached.', { error });
    return { kind: 'allowed' };
  }
}

/** Requires a valid API key of the tenant, of a company that is active. */
export function apiKey(): PortalMiddleware<Judged, After<'apiKey'>> {
  return {
    before({ event: { state } }) {
      state.apiKeyLast4 = state.snapshot.apiKey?.last4;
      rules.requireApiKey(state.snapshot, state.identity.tenant, state.receivedAt);
    },
  };
}

/** Requires that the user and the companies of user and supplier are active. */
export function activeUser(): PortalMiddleware<Judged & After<'apiKey'>, { readonly user: User }> {
  return adding(({ event: { state } }) => ({ user: rules.requireActiveUser(state.snapshot, state.receivedAt) }));
}

/** Requires that the sessions of the user were not ended after the token was issued. */
export function openSession(): PortalMiddleware<JudgedUser & Authenticated, After<'openSession'>> {
  return {
    before({ event: { state } }) {
      rules.requireOpenSession(state.user, state.tokenIssuedAtSeconds);
    },
  };
}

/** Requires that the request is within its rate limit. */
export function rateLimit(): PortalMiddleware<JudgedUser & After<'openSession'>, After<'rateLimit'>> {
  return {
    before({ event: { state } }) {
      if (state.limit.kind === 'allowed') return;
      state.retryAfterSeconds = state.limit.retryAfterSeconds;
      throw new ServiceError('RATE_LIMITED', tooManyRequests);
    },
  };
}

/** Requires a supplier of the user's company, and the user's permission to read or write. */
export function supplierPermission(): PortalMiddleware<
  JudgedUser & After<'rateLimit'>,
  { readonly caller: rules.Caller }
> {
  return adding(({ event: { state } }) => {
    const { snapshot, user, identity, accessKind } = state;
    return { caller: rules.requireSupplier(snapshot, user, identity.tenant, accessKind) };
  });
}
