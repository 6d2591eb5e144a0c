import { randomUUID } from 'node:crypto';
import { unescape } from 'node:querystring';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { readMediaType } from '../../lib/http/headers.ts';
import type { RouteDefinition, StackDefinition } from './read-stack.ts';

/** A received request; what a caller omits is that of a request of this machine now. */
interface ReceivedRequest {
  readonly requestId?: string;
  readonly method: string;
  readonly url: URL;
  /** The name and the value of each header, in the order in which they were sent. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  readonly sourceIp?: string | undefined;
  readonly protocol?: string;
  /** Milliseconds since 1970. */
  readonly receivedAt?: number;
}

type RouteMatch = NonNullable<ReturnType<typeof matchRoute>>;

/**
 * Finds the route as API Gateway does: first the resource, a literal segment before a variable one, then its method.
 */
export function matchRoute(routes: readonly RouteDefinition[], method: string, path: string) {
  const matches = routes.flatMap((route) => {
    const pattern = route.segments.map((segment) => segment.replace(/^\{(\w+)\}$/, '(?<$1>[^/]+)'));
    const found = new RegExp(`^/${pattern.join('/')}$`).exec(path);
    return found === null ? [] : [{ route, variables: Object.entries(found.groups ?? {}) }];
  });
  const literal = matches.filter(({ variables }) => variables.length === 0);
  const match = (literal.length > 0 ? literal : matches).find(({ route }) => route.method === method);
  if (match === undefined) return undefined;
  return {
    functionId: match.route.functionId,
    /** The path as the API declares it, such as `/invoices/{id}`. */
    resource: `/${match.route.segments.join('/')}`,
    /** The values of the variable segments, decoded as API Gateway does: bytes that are not UTF-8 become U+FFFD. */
    parameters: Object.fromEntries(match.variables.map(([name, value]) => [name, unescape(value)])),
  };
}

/** Builds the event that API Gateway sends to the function of a route. */
export function buildProxyEvent(
  request: ReceivedRequest,
  { resource, parameters }: RouteMatch,
  { binaryMediaTypes }: StackDefinition,
): APIGatewayProxyEvent {
  const { requestId = randomUUID(), method, url, body } = request;
  const { sourceIp = '127.0.0.1', protocol = 'HTTP/1.1', receivedAt = Date.now() } = request;
  const headers = collect(request.headers);
  const mediaType = readMediaType({ multiValueHeaders: headers.multiple }) ?? '';
  const isBase64Encoded = body.length > 0 && binaryMediaTypes.includes(mediaType);
  const query = url.searchParams.size > 0 ? collect([...url.searchParams]) : { single: null, multiple: null };
  const userAgent = request.headers.find(([name]) => name.toLowerCase() === 'user-agent')?.[1] ?? null;
  const called = { path: url.pathname, httpMethod: method };
  return {
    resource,
    ...called,
    headers: headers.single,
    multiValueHeaders: headers.multiple,
    queryStringParameters: query.single,
    multiValueQueryStringParameters: query.multiple,
    pathParameters: Object.keys(parameters).length > 0 ? { ...parameters } : null,
    stageVariables: null,
    requestContext: {
      ...called,
      accountId: '000000000000',
      apiId: 'local',
      authorizer: null,
      identity: { sourceIp, userAgent } as APIGatewayProxyEvent['requestContext']['identity'],
      protocol,
      requestId,
      requestTimeEpoch: receivedAt,
      resourceId: resource,
      resourcePath: resource,
      stage: 'local',
    },
    body: body.length === 0 ? null : body.toString(isBase64Encoded ? 'base64' : 'utf8'),
    isBase64Encoded,
  };
}

/** Collects entries as API Gateway does: `multiple` contains every value, `single` the last value of each name. */
function collect(entries: readonly (readonly [string, string])[]) {
  // Without a prototype, because a client can send a parameter with the name of one of its properties.
  const multiple = Object.create(null) as Record<string, string[]>;
  for (const [name, value] of entries) (multiple[name] ??= []).push(value);
  return { single: Object.fromEntries(entries), multiple };
}
