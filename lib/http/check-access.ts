import * as rules from '../access/access-rules.ts';
import { PORTAL_POLICIES } from '../access/policies.ts';
import type { Session } from '../access/access-rules.ts';
import type { RateDecision, SlidingWindow } from '../access/sliding-window.ts';
import type { VerifiedToken, VerifyToken } from '../access/tokens.ts';
import type { CredentialPorts } from '../access/verify-credentials.ts';
import { uuid } from '../contracts/formats.ts';
import type { AccessKind, AccessSnapshot, UserReference } from '../domain/directory.ts';
import { orServiceUnavailable, ServiceError } from '../domain/errors.ts';
import * as texts from '../domain/texts.ts';
import type { PrefetchingEndpoint } from '../endpoints/endpoint.ts';
import { addToState, type After, type PortalMiddleware, type RequestState, type WithCaller } from './chain.ts';
import { readHeader } from './headers.ts';
import type { Parsed } from './input.ts';

// Matches a domain name, such as `demo.example`.
const DOMAIN = /^[a-z0-9.-]{1,253}$/;

/** Requires the tenant header to be a domain, in any case. The existence of the tenant is checked by `checkAccess`. */
export function requireTenant(): PortalMiddleware<
  RequestState & After<'hideUnexpectedErrors'>,
  { readonly tenant: string }
> {
  return addToState(({ event }) => {
    const tenant = readHeader(event, 'tenant')?.toLowerCase();
    if (!tenant) throw new ServiceError('UNAUTHORIZED', texts.tenantRequired);
    if (!DOMAIN.test(tenant)) throw new ServiceError('UNAUTHORIZED', texts.tenantInvalid);
    return { tenant };
  });
}

/** The user and the session of the token, and the hash of an API key that is not yet verified. */
interface Authenticated extends VerifiedToken {
  readonly apiKeyHash: string;
}

/**
 * Requires a valid access token (JWT) of the tenant, and an API key in the form of a UUID, which `checkAccess`
 * verifies. A request without both credentials does not count against the rate limit of the user.
 */
export function requireTokenAndKey(
  verify: VerifyToken,
): PortalMiddleware<RequestState & { readonly tenant: string }, Authenticated> {
  return addToState(async ({ event }) => {
    const { tenant, receivedAt } = event.state;
    const verified = await verify(readHeader(event, 'authorization'), tenant, receivedAt);
    // The log line names the user, even if the API key is missing.
    event.state.identity = verified.identity;
    const apiKey = readHeader(event, 'x-api-key') ?? '';
    if (!uuid.test(apiKey)) throw new ServiceError('UNAUTHORIZED', texts.keyInvalid);
    return { ...verified, apiKeyHash: rules.hashApiKey(apiKey) };
  });
}

export type RequestLimiter = Pick<SlidingWindow, 'count'>;

export interface AccessPorts extends Pick<CredentialPorts, 'directory'> {
  readonly limiter: SlidingWindow;
}

export interface Access {
  readonly accessKind: AccessKind;
  readonly snapshot: AccessSnapshot;
  /** The decision of the limiter; it has no `status` if the limiter could not be reached. */
  readonly limit: RateDecision | { readonly kind: 'allowed' };
}

/** The read that `loadAccess` has started, and the supplier whose data it reads; null if it started none. */
interface Prefetched<Found> {
  readonly prefetch: { readonly supplierId: string; readonly found: Promise<Found> } | null;
}

/**
 * Reads the access snapshot, counts the request, and starts the read of the endpoint, in one round trip. The endpoint
 * reads the data of the supplier in the token. The data are used only if the snapshot has the same supplier. The read
 * does not start if the input is invalid, or if the request is certainly over its limit.
 */
export function loadAccess<Input, Found>(
  accessKind: AccessKind,
  { directory, limiter }: AccessPorts,
  endpoint?: Pick<PrefetchingEndpoint<Input, Found>, 'read'>,
): PortalMiddleware<RequestState & Authenticated & Parsed<Input>, Access & Prefetched<Found>> {
  return addToState(async ({ event: { state } }) => {
    const { identity, session, apiKeyHash, parsed, receivedAt } = state;
    const { tenant, supplierId } = identity;
    const subject = buildRateLimitSubject(identity, session);
    const isLimitReached = limiter.isKnownFull(subject, PORTAL_POLICIES[accessKind], receivedAt);
    const prefetch =
      endpoint && 'input' in parsed && !isLimitReached && supplierId !== null
        ? { supplierId, found: endpoint.read({ tenant, supplierId }, parsed.input) }
        : null;
    // If the request is rejected, nothing awaits this promise. Without the catch, a failed read would be an unhandled
    // rejection.
    prefetch?.found.catch(() => undefined);

    const snapshotRead = orServiceUnavailable(directory.readSnapshot(identity, apiKeyHash));
    // The counter is awaited even if the snapshot cannot be read, so that the error response has the rate headers too.
    const [[snapshot], limit] = await Promise.all([
      Promise.allSettled([snapshotRead]),
      countRequest(limiter, accessKind, subject, state),
    ]);
    if (snapshot.status === 'rejected') throw snapshot.reason as Error;
    return { accessKind, snapshot: snapshot.value, limit, prefetch };
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

/** Counts a request, and sets the values of its rate headers. Accepts the request if the limiter fails. */
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

/** Adds the prefetched data if they belong to the caller's supplier. Otherwise, reads and adds the data. */
export function readEndpointData<Input, Found>({
  read,
}: Pick<PrefetchingEndpoint<Input, Found>, 'read'>): PortalMiddleware<
  RequestState & WithCaller & Prefetched<Found> & { readonly input: Input },
  { readonly found: Found }
> {
  return addToState(async ({ event: { state } }) => {
    const { prefetch, caller, input } = state;
    const canUsePrefetch = prefetch !== null && prefetch.supplierId === caller.scope.supplierId;
    return { found: await (canUsePrefetch ? prefetch.found : read(caller.scope, input)) };
  });
}
