import type { VerifiedToken, VerifyToken } from '../access/tokens.ts';
import { ServiceError } from '../domain/errors.ts';
import * as texts from '../domain/texts.ts';
import { addToState, type After, type PortalMiddleware } from './chain.ts';
import { hashApiKeyHeader, headerOf } from './headers.ts';
import type { RequestState } from './request-state.ts';

const DOMAIN = /^[a-z0-9.-]{1,253}$/;

/** Requires the tenant header to name a domain, in any case; whether there is such a tenant is checked later. */
export function tenant(): PortalMiddleware<RequestState & After<'unexpectedErrors'>, { readonly tenant: string }> {
  return addToState(({ event }) => {
    const name = headerOf(event, 'tenant')?.toLowerCase();
    if (!name) throw new ServiceError('UNAUTHORIZED', texts.tenantRequired);
    if (!DOMAIN.test(name)) throw new ServiceError('UNAUTHORIZED', texts.tenantInvalid);
    return { tenant: name };
  });
}

/** The user and the session of the token, and the hash of an API key that is not yet verified. */
export interface Authenticated extends VerifiedToken {
  readonly apiKeyHash: string;
}

/**
 * Requires a valid access token (JWT) of the request's tenant, and a text that can be an API key: without both
 * credentials, a request does not count against the rate limit of the user.
 */
export function jwt(verify: VerifyToken): PortalMiddleware<RequestState & { readonly tenant: string }, Authenticated> {
  return addToState(async ({ event }) => {
    const { tenant: name, receivedAt } = event.state;
    const verified = await verify(headerOf(event, 'authorization'), name, receivedAt);
    // The log line names the user, also if the API key is missing.
    event.state.identity = verified.identity;
    const apiKeyHash = hashApiKeyHeader(event);
    if (apiKeyHash === null) throw new ServiceError('UNAUTHORIZED', texts.keyInvalid);
    return { ...verified, apiKeyHash };
  });
}
