import type { JWTVerifyGetKey } from 'jose';
import { type TokenParties, verifyToken } from '../auth/tokens.ts';
import { headerOf } from './headers.ts';
import { established, type PortalMiddleware } from './request-state.ts';

/** Requires a valid access token of the request's tenant. */
export function authenticate(keys: JWTVerifyGetKey, parties: TokenParties): PortalMiddleware {
  return {
    async before({ event }) {
      const { state } = event;
      const tenant = established(state.tenant, 'tenant');
      const authorization = headerOf(event, 'authorization');
      const { issuedAtSeconds, ...identity } = await verifyToken(
        authorization,
        tenant,
        keys,
        parties,
        state.receivedAt,
      );
      state.identity = identity;
      state.tokenIssuedAtSeconds = issuedAtSeconds;
    },
  };
}
