import { PORTAL_POLICIES } from '../domain/policies.ts';
import type { SlidingWindow } from '../access/sliding-window.ts';
import type { AccessKind } from '../domain/directory.ts';
import type { PrefetchingEndpoint } from '../endpoints/endpoint.ts';
import { addToState, type PortalMiddleware, type RequestState, type WithCaller } from './chain.ts';
import type { CheckedKey } from './check-access.ts';
import { buildRateLimitSubject } from './count-request.ts';
import type { Authenticated } from './credentials.ts';
import type { Parsed } from './input.ts';

/** The read that `startPrefetch` has started, and the supplier whose data it reads; null if it started none. */
interface Prefetched<Found> {
  readonly prefetch: { readonly supplierId: string; readonly found: Promise<Found> } | null;
}

/**
 * Starts to read the endpoint's data of the supplier in the token, and does not wait for them. The read does not start
 * if the input is invalid, or if the request is certainly over its limit.
 */
export function startPrefetch<Input, Found>(
  accessKind: AccessKind,
  limiter: Pick<SlidingWindow, 'isKnownFull'>,
  { read }: Pick<PrefetchingEndpoint<Input, Found>, 'read'>,
): PortalMiddleware<RequestState & Authenticated & Parsed<Input> & CheckedKey, Prefetched<Found>> {
  return addToState(({ event: { state } }) => {
    const { identity, session, parsed, receivedAt } = state;
    const { tenant, supplierId } = identity;
    if (supplierId === null || 'error' in parsed) return { prefetch: null };
    const subject = buildRateLimitSubject(identity, session);
    if (limiter.isKnownFull(subject, PORTAL_POLICIES[accessKind], receivedAt)) return { prefetch: null };
    const found = read({ tenant, supplierId }, parsed.input);
    // A rejected request does not await this promise. Without the catch, a failed read would be an unhandled rejection.
    found.catch(() => undefined);
    return { prefetch: { supplierId, found } };
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
