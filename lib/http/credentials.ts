import { hashApiKey } from '../access/access-rules.ts';
import type { VerifiedToken, VerifyToken } from '../access/tokens.ts';
import { uuid } from '../contracts/formats.ts';
import { ServiceError } from '../domain/errors.ts';
import * as texts from '../domain/texts.ts';
import { addToState, type PortalMiddleware, type RequestState } from './chain.ts';
import { readHeader } from './headers.ts';

// Matches a domain name, such as `demo.example`.
const DOMAIN = /^[a-z0-9.-]{1,253}$/;

/** Requires the tenant header to be a domain, in any case. The existence of the tenant is checked by `checkAccess`. */
export function requireTenant(): PortalMiddleware<RequestState, { readonly tenant: string }> {
  return addToState(({ event }) => {
    const tenant = readHeader(event, 'tenant')?.toLowerCase();
    if (!tenant) throw new ServiceError('UNAUTHORIZED', texts.tenantRequired);
    if (!DOMAIN.test(tenant)) throw new ServiceError('UNAUTHORIZED', texts.tenantInvalid);
    return { tenant };
  });
}

/** The user and the session of the token, and the hash of an API key that is not yet verified. */
export interface Authenticated extends VerifiedToken {
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
    return { ...verified, apiKeyHash: hashApiKey(apiKey) };
  });
}
