import { randomUUID } from 'node:crypto';
import { unescape as decodeEscapes } from 'node:querystring';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { readMediaType } from '../../lib/http/headers.ts';
import type { RouteDefinition, StackDefinition } from './read-stack.ts';

/** A received request. The defaults of omitted properties describe a request that this machine sends now. */
interface ReceivedRequest {
  readonly requestId?: string;
  readonly method: string;
  readonly url: URL;
  /** The name and the value of each header, in the order in which they were sent. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  readonly sourceIp?: string | undefined;
  readonly protocol?: string;
  readonly receivedAtMs?: number;
}

export interface RouteMatch {
  readonly functionId: string;
  /** The path as the API declares it, such as `/invoices/{id}`. */
  readonly resource: string;
  /** The values of the variable segments, decoded as API Gateway does: bytes that are not UTF-8 become U+FFFD. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** Finds the route of a request. Like API Gateway, prefers a literal path, even if it has no route for the method. */
export function matchRoute(routes: readonly RouteDefinition[], method: string, path: string): RouteMatch | undefined {
  const literalRoutes = routes.filter((route) => route.path === path);
  const patternRoutes = routes.filter((route) => toPattern(route.path).test(path));
  const candidates = literalRoutes.length > 0 ? literalRoutes : patternRoutes;
  const route = candidates.find((candidate) => candidate.method === method);
  if (route === undefined) return undefined;
  const { groups = {} } = toPattern(route.path).exec(path)!;
  const parameters: Record<string, string> = {};
  for (const [name, value] of Object.entries(groups)) parameters[name] = decodeEscapes(value);
  return { functionId: route.functionId, resource: route.path, parameters };
}

/** Converts a declared path to a pattern: `/invoices/{id}` becomes `^/invoices/(?<id>[^/]+)$`. */
function toPattern(declaredPath: string): RegExp {
  const literal = declaredPath.replaceAll('.', String.raw`\.`);
  return new RegExp(`^${literal.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
}

/** Builds the event that API Gateway sends to the function of a route. */
export function buildProxyEvent(
  request: ReceivedRequest,
  { resource, parameters }: RouteMatch,
  { binaryMediaTypes }: StackDefinition,
): APIGatewayProxyEvent {
  const { requestId = randomUUID(), method, url, body } = request;
  const { sourceIp = '127.0.0.1', protocol = 'HTTP/1.1', receivedAtMs = Date.now() } = request;
  const headers = groupByName(request.headers);
  const mediaType = readMediaType({ multiValueHeaders: headers.multiple }) ?? '';
  const isBase64Encoded = body.length > 0 && binaryMediaTypes.includes(mediaType);
  const query = url.searchParams.size > 0 ? groupByName([...url.searchParams]) : { single: null, multiple: null };
  const userAgent = request.headers.find(([name]) => name.toLowerCase() === 'user-agent')?.[1] ?? null;
  return {
    resource,
    path: url.pathname,
    httpMethod: method,
    headers: headers.single,
    multiValueHeaders: headers.multiple,
    queryStringParameters: query.single,
    multiValueQueryStringParameters: query.multiple,
    pathParameters: Object.keys(parameters).length > 0 ? { ...parameters } : null,
    stageVariables: null,
    requestContext: {
      path: url.pathname,
      httpMethod: method,
      accountId: '000000000000',
      apiId: 'local',
      authorizer: null,
      identity: { sourceIp, userAgent } as APIGatewayProxyEvent['requestContext']['identity'],
      protocol,
      requestId,
      requestTimeEpoch: receivedAtMs,
      resourceId: resource,
      resourcePath: resource,
      stage: 'local',
    },
    body: body.length === 0 ? null : body.toString(isBase64Encoded ? 'base64' : 'utf8'),
    isBase64Encoded,
  };
}

/** Groups entries as API Gateway does: `multiple` contains every value, `single` the last value of each name. */
function groupByName(entries: readonly (readonly [string, string])[]) {
  // The object has no prototype, because a client can send a name such as `constructor`, which Object.prototype has.
  const multiple = Object.create(null) as Record<string, string[]>;
  for (const [name, value] of entries) (multiple[name] ??= []).push(value);
  return { single: Object.fromEntries(entries), multiple };
}
