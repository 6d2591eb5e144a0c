import { type TokenParties, tokenVerifier } from '../auth/tokens.ts';
import type { FindKey } from '../auth/verified-tokens.ts';
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
  findKey: FindKey,
  parties: TokenParties,
): PortalMiddleware<RequestState & { readonly tenant: string }, Authenticated> {
  const verifyToken = tokenVerifier(findKey, parties);
  return adding(async ({ event }) => {
    const { tenant, receivedAt } = event.state;
    const authorization = headerOf(event, 'authorization');
    const { issuedAtSeconds, ...identity } = await verifyToken(authorization, tenant, receivedAt);
    return { identity, tokenIssuedAtSeconds: issuedAtSeconds };
  });
}
