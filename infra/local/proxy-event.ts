import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { mediaTypeOf } from '../../lib/http/headers.ts';
import type { RouteMatch } from './route-match.ts';

/** A request with what the gateway found out about it. */
export interface RoutedRequest {
  readonly request: IncomingMessage;
  readonly method: string;
  readonly url: URL;
  readonly body: Buffer;
  /** The media types of bodies that are handed on in base64. */
  readonly binaryMediaTypes: readonly string[];
  readonly match: RouteMatch;
  readonly requestId: string;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
}

/** The event that API Gateway hands to the function of a route. */
export function proxyEvent(routed: RoutedRequest): APIGatewayProxyEvent {
  const { request, method, url, body, binaryMediaTypes, match } = routed;
  const headers = collect(pairs(request.rawHeaders));
  const isBase64Encoded = body.length > 0 && binaryMediaTypes.includes(mediaTypeOf({ headers: headers.single }) ?? '');
  const query = collect([...url.searchParams]);
  const hasQuery = url.searchParams.size > 0;
  return {
    resource: match.resource,
    path: url.pathname,
    httpMethod: method,
    headers: headers.single,
    multiValueHeaders: headers.multiple,
    queryStringParameters: hasQuery ? query.single : null,
    multiValueQueryStringParameters: hasQuery ? query.multiple : null,
    pathParameters: Object.keys(match.parameters).length > 0 ? match.parameters : null,
    stageVariables: null,
    requestContext: requestContext(routed),
    body: body.length === 0 ? null : body.toString(isBase64Encoded ? 'base64' : 'utf8'),
    isBase64Encoded,
  };
}

function requestContext(routed: RoutedRequest): APIGatewayProxyEvent['requestContext'] {
  const { request, method, url, match, requestId, receivedAt } = routed;
  const identity = { sourceIp: request.socket.remoteAddress ?? '', userAgent: request.headers['user-agent'] ?? null };
  return {
    accountId: '000000000000',
    apiId: 'local',
    authorizer: null,
    httpMethod: method,
    identity: identity as APIGatewayProxyEvent['requestContext']['identity'],
    path: url.pathname,
    protocol: `HTTP/${request.httpVersion}`,
    requestId,
    requestTimeEpoch: receivedAt,
    resourceId: match.resource,
    resourcePath: match.resource,
    stage: 'local',
  };
}

function pairs(flat: readonly string[]): [string, string][] {
  return Array.from(
    { length: flat.length / 2 },
    (_, index) => flat.slice(2 * index, 2 * index + 2) as [string, string],
  );
}

/** As API Gateway does: every value in one object, the last one in the other. */
function collect(entries: readonly (readonly [string, string])[]) {
  // Without a prototype, because a client may name a parameter like one of its properties.
  const multiple = Object.create(null) as Record<string, string[]>;
  for (const [name, value] of entries) (multiple[name] ??= []).push(value);
  return { single: Object.fromEntries(entries), multiple };
}
