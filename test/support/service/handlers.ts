import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { vi } from 'vitest';
import { buildFunctionEnvironment, DEFAULT_STAGE } from '../../../infra/config.ts';
import { engineEnvironment } from '../../../infra/local/engine-client.ts';
import type { Contract } from '../../../lib/contracts/contract.ts';
import { type ContractName, contracts } from '../../../infra/routes.ts';
import { mediaTypeOf } from '../../../lib/http/headers.ts';
import type { ProxyHandler } from '../../../lib/http/chain.ts';
import { type Answer, answerCheck } from '../answers/answer.ts';
import type { TestEngine } from '../engine/engine.ts';
import { type LegacyAnswer, legacyAnswerCheck } from '../legacy/legacy-answer.ts';
import type { Account } from '../data/seed.ts';

/** A request to an endpoint; what is left out is as a well-behaved client sends it. */
export interface TestRequest {
  readonly method?: string;
  /** The path called; the values of its parameters are read from it. */
  readonly path?: string;
  /** A parameter may be given several times; undefined leaves it out. */
  readonly query?: Readonly<Record<string, string | number | readonly string[] | undefined>>;
  /** undefined leaves a header out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** A string is sent as it is, and so are bytes; anything else as JSON. */
  readonly body?: unknown;
  readonly sourceIp?: string;
  /** What Lambda says of the time that is left; when this is left out, more than a busy machine needs. */
  readonly remainingMs?: () => number;
}

/** The names of the functions behind the endpoints. */
export type HandlerName = ContractName;

/** Those of them that answer in the envelope of the current interface. */
export type CurrentName = Exclude<HandlerName, 'legacy-dispatch'>;

/** Calls an endpoint's handler as the gateway would, and checks the answer against the endpoint's contract. */
export type Invoke = <Name extends HandlerName>(
  name: Name,
  request?: TestRequest,
) => Promise<Name extends CurrentName ? Answer : LegacyAnswer>;

/** Loads the functions anew, as a fresh process would, against an engine or a proxy in front of it. */
export async function loadHandlers(engine: TestEngine): Promise<Invoke> {
  Object.assign(process.env, engineEnvironment(engine.endpoint), buildFunctionEnvironment(DEFAULT_STAGE), {
    DIRECTORY_TABLE: engine.tables.Directory,
    INVOICES_TABLE: engine.tables.Invoices,
    DECLARATIONS_TABLE: engine.tables.Declarations,
    DAY_INDEXES_TABLE: engine.tables.DayIndexes,
    RATE_COUNTERS_TABLE: engine.tables.RateCounters,
    SIGNING_KEYS_TABLE: engine.tables.SigningKeys,
    POWERTOOLS_LOG_LEVEL: 'SILENT',
  });
  vi.resetModules();
  const entries = contracts.map(async (contract) => {
    const { handler } = (await import(`../../../functions/${contract.name}.ts`)) as { handler: ProxyHandler };
    const check = contract.name === 'legacy-dispatch' ? legacyAnswerCheck : answerCheck(contract);
    return [contract.name, { contract, handler, check }] as const;
  });
  const endpoints = new Map<string, Awaited<(typeof entries)[number]>[1]>(await Promise.all(entries));

  return async (name, request = {}) => {
    const endpoint = endpoints.get(name);
    if (!endpoint) throw new Error(`There is no contract of ${name}.`);
    const event = buildProxyEvent(endpoint.contract, request);
    const { requestId } = event.requestContext;
    const context = { awsRequestId: requestId, getRemainingTimeInMillis: request.remainingMs ?? (() => 120_000) };
    const result = await endpoint.handler(event, context as Context);
    return endpoint.check(result, requestId, event.path) as never;
  };
}

/** The headers of a request of an account. */
export function headersOf(account: Account, token: string): Record<string, string> {
  return { tenant: account.scope.tenant, authorization: `Bearer ${token}`, 'x-api-key': account.apiKey };
}

/** The event that the gateway makes of a request to an endpoint. */
export function buildProxyEvent(contract: Contract, request: TestRequest): APIGatewayProxyEvent {
  const { method = contract.method, path = contract.path, query = {}, body, sourceIp = '192.0.2.1' } = request;
  const headers = Object.entries({
    ...(contract.method === 'POST' && { 'content-type': 'application/json' }),
    ...request.headers,
  }).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const parameters = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, [value].flat().map(String)] as const);
  return {
    resource: contract.path,
    path,
    httpMethod: method,
    headers: Object.fromEntries(headers),
    multiValueHeaders: Object.fromEntries(headers.map(([name, value]) => [name, [value]])),
    queryStringParameters: Object.fromEntries(parameters.map(([name, values]) => [name, values.at(-1)])),
    multiValueQueryStringParameters: Object.fromEntries(parameters.map(([name, values]) => [name, values])),
    pathParameters: pathParameters(contract.path, path),
    stageVariables: null,
    requestContext: { requestId: randomUUID(), identity: { sourceIp } } as APIGatewayProxyEvent['requestContext'],
    ...bodyOf(body, mediaTypeOf({ headers: Object.fromEntries(headers) })),
  };
}

/** As the gateway hands it on: JSON byte by byte, anything else as text. */
function bodyOf(body: unknown, mediaType: string | undefined): Pick<APIGatewayProxyEvent, 'body' | 'isBase64Encoded'> {
  if (body === undefined) return { body: null, isBase64Encoded: false };
  const isBase64Encoded = mediaType === 'application/json';
  const bytes =
    body instanceof Uint8Array
      ? Buffer.from(body)
      : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return { body: bytes.toString(isBase64Encoded ? 'base64' : 'utf8'), isBase64Encoded };
}

function pathParameters(template: string, path: string): Record<string, string> | null {
  const segments = path.split('/');
  const parameters = template
    .split('/')
    .flatMap((part, index) => (part.startsWith('{') ? [[part.slice(1, -1), segments[index] ?? '']] : []));
  return parameters.length > 0 ? (Object.fromEntries(parameters) as Record<string, string>) : null;
}
