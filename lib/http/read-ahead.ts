import type { Caller } from '../auth/access-rules.ts';
import type { AccessKind } from '../domain/directory.ts';
import type { ReadingEndpoint, RequestState } from '../endpoints/endpoint.ts';
import { PORTAL_POLICIES } from '../rate-limit/policies.ts';
import type { SlidingWindow } from '../rate-limit/sliding-window.ts';
import { limitedSubject } from './access.ts';
import { adding, type PortalMiddleware } from './chain.ts';
import type { Authenticated } from './credentials.ts';

/** What an endpoint began to read before the caller was known to be allowed; null: it has not begun. */
export interface Ahead<Found> {
  readonly ahead: { readonly supplierId: string; readonly found: Promise<Found> } | null;
}

type WithInput<Input> = RequestState & Authenticated & { readonly input: Input };

/**
 * Runs a middleware that reads the input before the caller is known: a fault is kept, and thrown by `requireRead` in
 * its old place, so that the order of errors stays.
 */
export function early<Needs extends RequestState, Adds>(
  middleware: PortalMiddleware<Needs, Adds>,
): PortalMiddleware<Needs, Adds> {
  return {
    async before(request) {
      const { state } = request.event;
      if (state.inputFault) return;
      try {
        await middleware.before?.(request);
      } catch (error) {
        state.inputFault = error as Error;
      }
    },
  };
}

/**
 * Begins what the endpoint reads, for the supplier that the token names, beside the checks that follow. It does not for
 * a request that is known to be refused, and where the endpoint says that it costs too much.
 */
export function readAhead<Input, Found>(
  accessKind: AccessKind,
  { isReadAhead, read }: Pick<ReadingEndpoint<Input, Found>, 'isReadAhead' | 'read'>,
  limiter: Pick<SlidingWindow, 'isKnownFull'>,
): PortalMiddleware<WithInput<Input>, Ahead<Found>> {
  return adding(({ event: { state } }) => {
    const { identity, input, receivedAt, inputFault } = state;
    const { tenant, supplierId } = identity;
    const isRefused =
      inputFault !== undefined ||
      limiter.isKnownFull(limitedSubject(identity), PORTAL_POLICIES[accessKind], receivedAt);
    if (supplierId === null || isRefused || !isReadAhead(input)) return { ahead: null };
    const found = read({ tenant, supplierId }, input);
    // Of a request that is refused, nobody asks how it ended.
    found.catch(() => undefined);
    return { ahead: { supplierId, found } };
  });
}

/**
 * Requires a valid input, and what the endpoint reads for it: what was read ahead, if that is of the caller's supplier.
 */
export function requireRead<Input, Found>(
  read: ReadingEndpoint<Input, Found>['read'],
): PortalMiddleware<WithInput<Input> & Ahead<Found> & { readonly caller: Caller }, { readonly found: Found }> {
  return adding(async ({ event: { state } }) => {
    const { inputFault, ahead, caller, input } = state;
    if (inputFault) throw inputFault;
    const isOfCaller = ahead !== null && ahead.supplierId === caller.scope.supplierId;
    return { found: await (isOfCaller ? ahead.found : read(caller.scope, input)) };
  });
}
