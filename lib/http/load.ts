import type { AccessKind, AccessSnapshot, UserReference } from '../domain/directory.ts';
import { orServiceUnavailable } from '../domain/errors.ts';
import type { Session } from '../access/sessions.ts';
import type { PrefetchingEndpoint } from '../endpoints/endpoint.ts';
import { PORTAL_POLICIES, type RatePolicy } from '../access/policies.ts';
import type { RateDecision, SlidingWindow } from '../access/sliding-window.ts';
import type { Access, LimitDecision, WithCaller } from './access.ts';
import { addToState, type PortalMiddleware } from './chain.ts';
import type { Authenticated } from './credentials.ts';
import type { Parsed } from './input.ts';
import type { RequestState } from './request-state.ts';

export interface RequestLimiter {
  readonly count: (subject: string, policy: RatePolicy, now: Date) => Promise<RateDecision>;
}

export interface LoadPorts {
  readonly directory: {
    readonly readSnapshot: (reference: UserReference, apiKeyHash: string | null) => Promise<AccessSnapshot>;
  };
  readonly limiter: RequestLimiter & Pick<SlidingWindow, 'isKnownFull'>;
}

/** A read of the endpoint that started before the caller was authorised; null if it has not started. */
export interface Prefetched<Found> {
  readonly prefetch: { readonly supplierId: string; readonly found: Promise<Found> } | null;
}

type Reader<Input, Found> = Pick<PrefetchingEndpoint<Input, Found>, 'canPrefetch' | 'read'>;

/**
 * Reads the access snapshot, counts the request, and starts the read of the endpoint, in one round trip. The endpoint
 * reads the data of the supplier in the token; its result is used only if the snapshot has the same supplier. It does
 * not start for an invalid input, for a request that is certainly over its limit, or if it could be expensive.
 */
export function load<Input, Found>(
  accessKind: AccessKind,
  { directory, limiter }: LoadPorts,
  { canPrefetch, read }: Reader<Input, Found>,
): PortalMiddleware<RequestState & Authenticated & Parsed<Input>, Access & Prefetched<Found>> {
  return addToState(async ({ event: { state } }) => {
    const { identity, session, apiKeyHash, parsed, receivedAt } = state;
    const { tenant, supplierId } = identity;
    const subject = rateLimitSubject(identity, session);
    const isStarted =
      supplierId !== null &&
      'input' in parsed &&
      canPrefetch(parsed.input) &&
      !limiter.isKnownFull(subject, PORTAL_POLICIES[accessKind], receivedAt);
    const prefetch = isStarted ? { supplierId, found: read({ tenant, supplierId }, parsed.input) } : null;
    // If the request is rejected, nothing awaits this promise. Without the catch, a failed read would be an unhandled
    // rejection.
    prefetch?.found.catch(() => undefined);

    const snapshotRead = orServiceUnavailable(directory.readSnapshot(identity, apiKeyHash));
    // Both are awaited, so that the response to a failed read has the rate headers too.
    const [[snapshot], limit] = await Promise.all([
      Promise.allSettled([snapshotRead]),
      countRequest(limiter, accessKind, subject, state),
    ]);
    if (snapshot.status === 'rejected') throw snapshot.reason as Error;
    return { accessKind, snapshot: snapshot.value, limit, prefetch };
  });
}

/** An endpoint without a prefetch: it reads nothing before the caller is authorised. */
export const WITHOUT_PREFETCH = { canPrefetch: () => false, read: () => Promise.resolve() } satisfies Reader<
  never,
  void
>;

/** Adds what the endpoint reads for a valid input: the prefetched result if it is of the caller's supplier, else a new read. */
export function found<Input, Found>({
  read,
}: Pick<PrefetchingEndpoint<Input, Found>, 'read'>): PortalMiddleware<
  RequestState & WithCaller & Prefetched<Found> & { readonly input: Input },
  { readonly found: Found }
> {
  return addToState(async ({ event: { state } }) => {
    const { prefetch, caller, input } = state;
    const isOfCaller = prefetch !== null && prefetch.supplierId === caller.scope.supplierId;
    return { found: await (isOfCaller ? prefetch.found : read(caller.scope, input)) };
  });
}

/**
 * Returns the subject of the counter of a user's requests, such as `demo.example#77`. After an end of sessions it has
 * the cutoff too: requests with a token that is revoked then do not use up the limit of the sessions that are open.
 */
export function rateLimitSubject(
  { tenant, userId }: UserReference,
  { tokensNotBeforeMs }: Pick<Session, 'tokensNotBeforeMs'>,
): string {
  return tokensNotBeforeMs ? `${tenant}#${userId}#${tokensNotBeforeMs}` : `${tenant}#${userId}`;
}

/** Counts the request, and sets the rate headers of the response. */
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
    // The request is accepted without its counter: the limit protects the service, not the data.
    state.limiterUnavailable = true;
    state.logger.warn('The rate limiter could not be reached.', { error });
    return { kind: 'allowed' };
  }
}
