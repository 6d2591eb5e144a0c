import * as rules from '../access/access-rules.ts';
import type { AccessKind, AccessSnapshot, UserReference } from '../domain/directory.ts';
import { ServiceError } from '../domain/errors.ts';
import type { Session } from '../access/sessions.ts';
import { tooManyRequests } from '../domain/texts.ts';
import { addToState, type PortalMiddleware } from './chain.ts';
import type { RequestState } from './request-state.ts';

export type LimitDecision =
  { readonly kind: 'allowed' } | { readonly kind: 'refused'; readonly retryAfterSeconds: number };

/** The data on which `checkAccess` decides, besides the credentials. */
export interface Access {
  readonly accessKind: AccessKind;
  readonly snapshot: AccessSnapshot;
  readonly limit: LimitDecision;
}

export interface WithCaller {
  readonly caller: rules.Caller;
}

/** The user of a request; `session` is null on the legacy route, where each request has its password. */
export interface Identified {
  readonly identity: UserReference;
  readonly session: Session | null;
}

/**
 * Checks, in the order of the interface, the API key and its company, the user and its companies, the session, the rate
 * limit, the supplier and the permission. Adds the caller.
 */
export function checkAccess(): PortalMiddleware<RequestState & Identified & Access, WithCaller> {
  return addToState(({ event: { state } }) => {
    const { accessKind, snapshot, limit, identity, session, receivedAt } = state;
    state.apiKeyLast4 = snapshot.apiKey?.last4;
    rules.requireApiKey(snapshot, identity.tenant, receivedAt);
    const user = rules.requireActiveUser(snapshot, receivedAt);
    if (session) rules.requireOpenSession(user, session);
    if (limit.kind === 'refused') {
      state.retryAfterSeconds = limit.retryAfterSeconds;
      throw new ServiceError('RATE_LIMITED', tooManyRequests);
    }
    return { caller: rules.requireSupplier(snapshot, user, identity.tenant, accessKind) };
  });
}
