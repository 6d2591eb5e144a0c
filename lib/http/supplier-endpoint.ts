import middy from '@middy/core';
import type { ValidateFunction } from 'ajv';
import type { APIGatewayProxyResult } from 'aws-lambda';
import type { JWTVerifyGetKey } from 'jose';
import type { Logger } from '@aws-lambda-powertools/logger';
import type { Caller } from '../auth/access-rules.ts';
import type { TokenParties } from '../auth/tokens.ts';
import type { Contract } from '../contracts/contract.ts';
import type { AccessKind } from '../domain/directory.ts';
import { PORTAL_POLICIES } from '../rate-limit/policies.ts';
import type { Clock } from '../runtime/clock.ts';
import { type AccessPorts, authorize } from './authorize.ts';
import { authenticate } from './authenticate.ts';
import { type ProxyHandler, proxyHandler } from './proxy-handler.ts';
import { readInput } from './read-input.ts';
import { established, type PortalEvent, type Success } from './request-state.ts';
import { envelopeFormat } from './response.ts';
import { requireTenant } from './require-tenant.ts';
import { requireUnicode } from './require-unicode.ts';
import { responseShell } from './response-shell.ts';

/** What every supplier endpoint needs from its surroundings. */
export interface SupplierPorts extends AccessPorts {
  readonly publicKeys: JWTVerifyGetKey;
  readonly parties: TokenParties;
  readonly clock: Clock;
}

/** A request that has passed every check, with its valid input. */
export interface SupplierRequest<Input> {
  readonly caller: Caller;
  readonly input: Input;
  readonly requestId: string;
  readonly now: Date;
  readonly logger: Logger;
}

/** The handler of a supplier endpoint: the checks of the interface in their order, then `run`. */
export function supplierEndpoint<Input>(
  contract: Contract & { readonly access: AccessKind },
  validate: ValidateFunction,
  ports: SupplierPorts,
  run: (request: SupplierRequest<Input>) => Promise<Success>,
): ProxyHandler {
  const policy = PORTAL_POLICIES[contract.access];
  const pipeline = middy<PortalEvent, Success | APIGatewayProxyResult>()
    .use(responseShell({ name: contract.name, policy, format: envelopeFormat, clock: ports.clock }))
    .use(requireTenant())
    .use(requireUnicode())
    .use(authenticate(ports.publicKeys, ports.parties))
    .use(authorize(contract.access, ports))
    .use(readInput(contract, validate))
    .handler(async ({ state }) =>
      run({
        caller: established(state.caller, 'caller'),
        input: state.input as Input,
        requestId: state.requestId,
        now: state.receivedAt,
        logger: state.logger,
      }),
    );
  return proxyHandler(pipeline);
}
