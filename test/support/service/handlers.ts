import type { Context } from 'aws-lambda';
import { vi } from 'vitest';
import { buildFunctionEnvironment, DEFAULT_STAGE } from '../../../infra/config.ts';
import { buildEngineEnvironment } from '../../../infra/local/engine-client.ts';
import { type ContractName, contracts } from '../../../infra/routes.ts';
import type { ProxyHandler } from '../../../lib/http/chain.ts';
import {
  checkLegacyResponse,
  createResponseCheck,
  type EndpointResponse,
  type LegacyResponse,
} from '../answers/answer.ts';
import type { TestEngine } from '../engine/engine.ts';
import type { Account } from '../data/seed.ts';
import { buildProxyEvent, type TestRequest } from './proxy-event.ts';

/** The names of the functions that use the envelope of the current interface, not of the legacy route. */
export type CurrentName = Exclude<ContractName, 'legacy-dispatch'>;

/** Calls the handler of an endpoint as the gateway does, and checks that the response satisfies its contract. */
export type Invoke = <Name extends ContractName>(
  name: Name,
  request?: TestRequest,
) => Promise<Name extends CurrentName ? EndpointResponse : LegacyResponse>;

/** Loads new instances of the functions, as a new process does, for an engine or for its proxy. */
export async function loadHandlers(engine: TestEngine): Promise<Invoke> {
  Object.assign(process.env, buildEngineEnvironment(engine.endpoint), buildFunctionEnvironment(DEFAULT_STAGE), {
    DIRECTORY_TABLE: engine.tables.Directory,
    INVOICES_TABLE: engine.tables.Invoices,
    DECLARATIONS_TABLE: engine.tables.Declarations,
    RATE_COUNTERS_TABLE: engine.tables.RateCounters,
    SIGNING_KEYS_TABLE: engine.tables.SigningKeys,
    LOG_LEVEL: 'SILENT',
  });
  vi.resetModules();
  const entries = contracts.map(async (contract) => {
    const { handler } = (await import(`../../../functions/${contract.name}.ts`)) as { handler: ProxyHandler };
    const check = contract.name === 'legacy-dispatch' ? checkLegacyResponse : createResponseCheck(contract);
    return [contract.name, { contract, handler, check }] as const;
  });
  const endpoints = new Map<string, Awaited<(typeof entries)[number]>[1]>(await Promise.all(entries));

  return async (name, request = {}) => {
    const endpoint = endpoints.get(name);
    if (!endpoint) throw new Error(`There is no contract ${name}.`);
    const event = buildProxyEvent(endpoint.contract, request);
    const { requestId } = event.requestContext;
    const context = { awsRequestId: requestId, getRemainingTimeInMillis: request.remainingMs ?? (() => 120_000) };
    const result = await endpoint.handler(event, context as Context);
    return endpoint.check(result, requestId, event.path) as never;
  };
}

/** Builds the headers of an authorised request. */
export function buildHeaders(account: Account, token: string): Record<string, string> {
  return { tenant: account.scope.tenant, authorization: `Bearer ${token}`, 'x-api-key': account.apiKey };
}
