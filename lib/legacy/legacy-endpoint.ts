import middy from '@middy/core';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { legacyDispatchContract } from '../contracts/legacy-dispatch.ts';
import { ServiceError, validationError } from '../domain/errors.ts';
import { showBlock } from '../http/login-block.ts';
import { type ProxyHandler, proxyHandler } from '../http/proxy-handler.ts';
import { readBody } from '../http/read-body.ts';
import { established, type PortalEvent, type Success } from '../http/request-state.ts';
import { requireUnicode } from '../http/require-unicode.ts';
import { responseShell } from '../http/response-shell.ts';
import { toDetails } from '../http/validation-details.ts';
import { PORTAL_POLICIES } from '../rate-limit/policies.ts';
import { rateStatus } from '../rate-limit/rate-status.ts';
import type { Clock } from '../runtime/clock.ts';
import { authorizeByBody, type LegacyPorts } from './authorize-by-body.ts';
import { toCurrentNames, toLegacyFault } from './names.ts';
import type { LegacyOperation } from './operations.ts';
import type { FieldNames } from './protocol.ts';
import { resultadoFormat } from './resultado.ts';

type Operations = Readonly<Record<string, LegacyOperation>>;

/** The handler of the legacy route: the checks of the current interface with the credentials in the body, in Spanish. */
export function legacyEndpoint(operations: Operations, ports: LegacyPorts & { readonly clock: Clock }): ProxyHandler {
  const { name } = legacyDispatchContract;
  const pipeline = middy<PortalEvent, Success | APIGatewayProxyResult>()
    .use(responseShell({ name, policy: null, format: resultadoFormat, clock: ports.clock }))
    .before(({ event: { state, pathParameters } }) => {
      const { access } = operationOf(operations, pathParameters).contract;
      state.rate = rateStatus(PORTAL_POLICIES[access], [], state.receivedAt.getTime());
    })
    .use(requireUnicode())
    .before(async (request) => {
      const { event } = request;
      event.state.input = readBody(request);
      await authorizeByBody(event, operationOf(operations, event.pathParameters).contract.access, ports);
    })
    .handler(async ({ state, pathParameters }) => {
      const { request, validate, run } = operationOf(operations, pathParameters);
      const input = toCurrentNames(state.input, request);
      const { requestId, receivedAt, logger } = state;
      const caller = established(state.caller, 'caller');
      try {
        if (!validate(input)) throw validationError(toDetails(validate.errors ?? [], 'body'));
        return await run({ caller, input: input as never, requestId, now: receivedAt, logger });
      } catch (error) {
        throw withLegacyNames(error, request);
      }
    })
    .onError(({ error, event }) => showBlock(error, event.state));
  return proxyHandler(pipeline);
}

function withLegacyNames(error: unknown, names: FieldNames): unknown {
  if (!(error instanceof ServiceError) || !error.details) return error;
  const { code, message, reason, cause } = error;
  const details = error.details.map((fault) => toLegacyFault(fault, names));
  return new ServiceError(code, message, { reason, cause, details });
}

function operationOf(operations: Operations, parameters: PortalEvent['pathParameters']): LegacyOperation {
  const name = parameters?.['WSName'] ?? '';
  const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
  if (!operation) {
    throw new ServiceError('NOT_FOUND', 'The operation does not exist.', { reason: 'unknown-operation' });
  }
  return operation;
}
