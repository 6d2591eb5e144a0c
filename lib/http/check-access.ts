import * as rules from '../access/access-rules.ts';
import { PORTAL_POLICIES } from '../access/policies.ts';
import type { Session } from '../access/access-rules.ts';
import type { RateDecision, SlidingWindow } from '../access/sliding-window.ts';
import type { CredentialPorts } from '../access/verify-credentials.ts';
import type { AccessKind, AccessSnapshot, UserReference } from '../domain/directory.ts';
import { orServiceUnavailable, ServiceError } from '../domain/errors.ts';
import * as texts from '../domain/texts.ts';
import { addToState, type PortalMiddleware, type RequestState, type WithCaller } from './chain.ts';
import type { Authenticated } from './credentials.ts';

export type RequestLimiter = Pick<SlidingWindow, 'count'>;

export interface AccessPorts {
  readonly directory: Pick<CredentialPorts['directory'], 'readSnapshot'>;
  readonly limiter: RequestLimiter;
}

export interface Access {
  readonly accessKind: AccessKind;
  readonly snapshot: AccessSnapshot;
  /** The decision of the limiter; it has no `status` if the limiter could not be reached. */
  readonly limit: RateDecision | { readonly kind: 'allowed' };
}

/** Reads the access snapshot and counts the request, in parallel. */
export function loadAccess(
  accessKind: AccessKind,
  { directory, limiter }: AccessPorts,
): PortalMiddleware<RequestState & Authenticated, Access> {
  return addToState(async ({ event: { state } }) => {
    const { identity, session, apiKeyHash } = state;
    const reading = orServiceUnavailable(directory.readSnapshot(identity, apiKeyHash));
    const counting = countRequest(limiter, accessKind, buildRateLimitSubject(identity, session), state);
    try {
      return { accessKind, snapshot: await reading, limit: await counting };
    } finally {
      // The counter is awaited even if the snapshot cannot be read, so that the error response has the rate headers too.
      await counting;
    }
  });
}

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

/** Counts a request, and sets the values of its rate headers. Never rejects: accepts the request if the limiter fails. */
export async function countRequest(
  limiter: RequestLimiter,
  accessKind: AccessKind,
  subject: string,
  state: RequestState,
): Promise<Access['limit']> {
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

/** The user of a request; `session` is null on the legacy route, where each request has its password. */
export interface Identified {
  readonly identity: UserReference;
  readonly session: Session | null;
}

/**
 * Checks the API key and its company, the user and its companies, the session, the rate limit, the supplier and the
 * permission. The interface defines this order: it determines the error of a request that violates several rules.
 */
export function checkAccess(): PortalMiddleware<RequestState & Identified & Access, WithCaller> {
  return addToState(({ event: { state } }) => {
    const { accessKind, snapshot, limit, identity, session, receivedAt } = state;
    state.apiKeyLast4 = snapshot.apiKey?.last4;
    rules.requireApiKey(snapshot, identity.tenant, receivedAt);
    const user = rules.requireActiveUser(snapshot, receivedAt);
    if (session) rules.requireOpenSession(user, session);
    if (limit.kind === 'rejected') {
      state.retryAfterSeconds = limit.retryAfterSeconds;
      throw new ServiceError('RATE_LIMITED', texts.tooManyRequests);
    }
    state.isExpiringSoon = rules.isExpiringSoon(snapshot, receivedAt);
    return { caller: rules.requireSupplier(snapshot, user, identity.tenant, accessKind) };
  });
}
