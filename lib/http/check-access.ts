import * as rules from '../access/access-rules.ts';
import type { CredentialPorts } from '../access/verify-credentials.ts';
import type { AccessKind, AccessSnapshot, UserReference } from '../domain/directory.ts';
import { orServiceUnavailable, ServiceError } from '../domain/errors.ts';
import * as texts from '../domain/texts.ts';
import type { LruCache } from '../runtime/lru-cache.ts';
import { addToState, type PortalMiddleware, type RequestState, type WithCaller } from './chain.ts';
import { buildRateLimitSubject, countRequest, type LimitDecision, type RequestLimiter } from './count-request.ts';
import type { Authenticated } from './credentials.ts';

export interface AccessPorts {
  readonly directory: Pick<CredentialPorts['directory'], 'readSnapshot'>;
  readonly limiter: RequestLimiter;
  /** The tenants and hashes of the API keys that were valid in their latest request to this process. */
  readonly validKeys: LruCache<true>;
}

/** The snapshot that `requireValidKey` has read; null if the process has already seen the API key valid. */
export interface CheckedKey {
  readonly checkedSnapshot: AccessSnapshot | null;
}

/**
 * Requires an API key that this process has not yet seen valid to be valid, before the request is counted and data are
 * prefetched. Otherwise, a stolen token without its API key could use up the rate limit of its owner.
 */
export function requireValidKey({
  directory,
  validKeys,
}: Omit<AccessPorts, 'limiter'>): PortalMiddleware<RequestState & Authenticated, CheckedKey> {
  return addToState(async ({ event: { state } }) => {
    const cacheKey = buildCacheKey(state);
    if (validKeys.get(cacheKey)) return { checkedSnapshot: null };
    const checkedSnapshot = await readSnapshot(directory, state);
    requireApiKey(checkedSnapshot, state);
    validKeys.set(cacheKey, true);
    return { checkedSnapshot };
  });
}

/** The access snapshot of a request, and the decision of the rate limit. */
export interface Access {
  readonly accessKind: AccessKind;
  readonly snapshot: AccessSnapshot;
  readonly limit: LimitDecision;
}

/** Reads the access snapshot, unless `requireValidKey` has read it, and counts the request in parallel. */
export function loadAccess(
  accessKind: AccessKind,
  { directory, limiter, validKeys }: AccessPorts,
): PortalMiddleware<RequestState & Authenticated & CheckedKey, Access> {
  return addToState(async ({ event: { state } }) => {
    const { identity, session, checkedSnapshot, receivedAt } = state;
    const counting = countRequest(limiter, accessKind, buildRateLimitSubject(identity, session), state);
    try {
      const snapshot = checkedSnapshot ?? (await readSnapshot(directory, state));
      if (!rules.isUsableKey(snapshot.apiKey, identity.tenant, receivedAt)) validKeys.remove(buildCacheKey(state));
      return { accessKind, snapshot, limit: await counting };
    } finally {
      // The counter, which never rejects, is awaited even if the snapshot cannot be read, so that the error response has
      // the rate headers too.
      await counting;
    }
  });
}

/** The user of a request; `session` is null on the legacy route, where each request has its password. */
export interface Identified {
  readonly identity: UserReference;
  readonly session: Authenticated['session'] | null;
}

/**
 * Checks the API key and its company, the user and its companies, the session, the rate limit, the supplier and the
 * permission. The order determines the error of a request that violates several rules. The interface does not define
 * it; decision 016 does.
 */
export function checkAccess(): PortalMiddleware<RequestState & Identified & Access, WithCaller> {
  return addToState(({ event: { state } }) => {
    const { accessKind, snapshot, limit, identity, session, receivedAt } = state;
    requireApiKey(snapshot, state);
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

function buildCacheKey({ identity, apiKeyHash }: Authenticated): string {
  return `${identity.tenant} ${apiKeyHash}`;
}

function readSnapshot(directory: AccessPorts['directory'], { identity, apiKeyHash }: Authenticated) {
  return orServiceUnavailable(directory.readSnapshot(identity, apiKeyHash));
}

/** Requires a usable API key of an active company. The log line names the key, even if it is rejected. */
function requireApiKey(snapshot: AccessSnapshot, state: RequestState & Identified): void {
  state.apiKeyLast4 = snapshot.apiKey?.last4;
  rules.requireApiKey(snapshot, state.identity.tenant, state.receivedAt);
}
