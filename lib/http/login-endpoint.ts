import middy from '@middy/core';
import type { ValidateFunction } from 'ajv';
import type { APIGatewayProxyResult } from 'aws-lambda';
import type { Contract } from '../contracts/contract.ts';
import type { LoginInput } from '../contracts/login.ts';
import type { UserReference } from '../domain/directory.ts';
import type { ServiceError } from '../domain/errors.ts';
import { LOGIN_POLICY } from '../rate-limit/policies.ts';
import type { RateStatus } from '../rate-limit/rate-status.ts';
import type { Clock } from '../runtime/clock.ts';
import { showBlock } from './login-block.ts';
import { type ProxyHandler, proxyHandler } from './proxy-handler.ts';
import { readInput } from './read-input.ts';
import { established, type PortalEvent, type Success } from './request-state.ts';
import { envelopeFormat } from './response.ts';
import { requireTenant } from './require-tenant.ts';
import { requireUnicode } from './require-unicode.ts';
import { responseShell } from './response-shell.ts';

/** Checks credentials that came from a source address; throws LoginBlocked when nothing of them may be told. */
export type AttemptLogin = (
  request: {
    readonly tenant: string;
    readonly email: string;
    readonly password: string;
    readonly playerId: string | undefined;
    readonly source: string;
    readonly onUser: (user: UserReference) => void;
  },
  now: Date,
) => Promise<
  { readonly guard: RateStatus } & (
    | { readonly token: string; readonly user: UserReference; readonly playerIdFault?: unknown }
    | { readonly wrong: boolean; readonly error: ServiceError }
  )
>;

/** The handler of the login, which needs no token. */
export function loginEndpoint(
  contract: Contract,
  validate: ValidateFunction,
  attempt: AttemptLogin,
  clock: Clock,
): ProxyHandler {
  const pipeline = middy<PortalEvent, Success | APIGatewayProxyResult>()
    .use(responseShell({ name: contract.name, policy: LOGIN_POLICY, format: envelopeFormat, clock }))
    .use(requireTenant())
    .use(requireUnicode())
    .use(readInput(contract, validate))
    .handler(async ({ state }) => {
      const { email, password, playerid } = state.input as LoginInput;
      const tenant = established(state.tenant, 'tenant');
      const onUser = (user: UserReference) => {
        state.claimedUser = user;
      };
      const result = await attempt(
        { tenant, email, password, playerId: playerid ?? undefined, source: state.sourceIp, onUser },
        state.receivedAt,
      );
      state.rate = result.guard;
      if ('error' in result) {
        state.loginRefused = result.wrong ? 'wrong-credentials' : 'not-allowed';
        throw result.error;
      }
      const { playerIdFault: error } = result;
      if (error) state.logger.warn('The player id could not be stored.', { error });
      state.identity = result.user;
      return { data: { authorization: result.token } };
    })
    .onError(({ error, event }) => showBlock(error, event.state));
  return proxyHandler(pipeline);
}
