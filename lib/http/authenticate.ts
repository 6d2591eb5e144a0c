import type { JWTVerifyGetKey } from 'jose';
import { type TokenParties, verifyToken } from '../auth/tokens.ts';
import type { UserReference } from '../domain/directory.ts';
import { headerOf } from './headers.ts';
import { adding, type PortalMiddleware } from './middleware.ts';
import type { RequestState } from './request-state.ts';

/** Whom a valid token speaks for, and when it was issued (whole Unix seconds). */
export interface Authenticated {
  readonly identity: UserReference;
  readonly tokenIssuedAtSeconds: number;
}

/** Requires a valid access token of the request's tenant. */
export function authenticate(
  keys: JWTVerifyGetKey,
  parties: TokenParties,
): PortalMiddleware<RequestState & { readonly tenant: string }, Authenticated> {
  return adding(async ({ event }) => {
    const { tenant, receivedAt } = event.state;
    const authorization = headerOf(event, 'authorization');
    const { issuedAtSeconds, ...identity } = await verifyToken(authorization, tenant, keys, parties, receivedAt);
    return { identity, tokenIssuedAtSeconds: issuedAtSeconds };
  });
}
