import type { VerifyToken } from '../auth/tokens.ts';
import type { UserReference } from '../domain/directory.ts';
import { ServiceError } from '../domain/errors.ts';
import * as texts from '../domain/texts.ts';
import type { RequestState } from '../endpoints/endpoint.ts';
import { adding, type After, type PortalMiddleware } from './chain.ts';
import { headerOf } from './headers.ts';

const DOMAIN = /^[a-z0-9.-]{1,253}$/;

/** Requires the tenant header to name a domain, in any case; whether there is such a tenant is checked later. */
export function tenant(): PortalMiddleware<RequestState & After<'unexpectedErrors'>, { readonly tenant: string }> {
  return adding(({ event }) => {
    const name = headerOf(event, 'tenant')?.toLowerCase();
    if (!name) throw new ServiceError('UNAUTHORIZED', texts.tenantRequired);
    if (!DOMAIN.test(name)) throw new ServiceError('UNAUTHORIZED', texts.tenantInvalid);
    return { tenant: name };
  });
}

/** Whom a valid token speaks for, and when it was issued (whole Unix seconds). */
export interface Authenticated {
  readonly identity: UserReference;
  readonly tokenIssuedAtSeconds: number;
}

/** Requires a valid access token (JWT) of the request's tenant. */
export function jwt(verify: VerifyToken): PortalMiddleware<RequestState & { readonly tenant: string }, Authenticated> {
  return adding(async ({ event }) => {
    const { tenant: name, receivedAt } = event.state;
    const { issuedAtSeconds, ...identity } = await verify(headerOf(event, 'authorization'), name, receivedAt);
    return { identity, tokenIssuedAtSeconds: issuedAtSeconds };
  });
}
