import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Contract } from '../../../lib/contracts/contract.ts';
import { readMediaType } from '../../../lib/http/headers.ts';

/** A request to an endpoint. An omitted field has the value that a correct client sends. */
export interface TestRequest {
  /** The path of the request. The values of the path parameters are read from it. */
  readonly path?: string;
  /** The query parameters. An array repeats a parameter, and undefined omits it. */
  readonly query?: Readonly<Record<string, string | number | readonly string[] | undefined>>;
  /** The headers. undefined omits a header. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** The body. Strings and bytes are sent unchanged, other values as JSON. */
  readonly body?: unknown;
  readonly sourceIp?: string;
  /** The remaining time of the function. The default is long enough for a busy machine. */
  readonly remainingMs?: () => number;
}

/** Builds the API Gateway event of a request. */
export function buildProxyEvent(contract: Contract, request: TestRequest): APIGatewayProxyEvent {
  const { path = contract.path, query = {}, body, sourceIp = '192.0.2.1' } = request;
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
    httpMethod: contract.method,
    headers: Object.fromEntries(headers),
    multiValueHeaders: Object.fromEntries(headers.map(([name, value]) => [name, [value]])),
    queryStringParameters: Object.fromEntries(parameters.map(([name, values]) => [name, values.at(-1)])),
    multiValueQueryStringParameters: Object.fromEntries(parameters.map(([name, values]) => [name, values])),
    pathParameters: readPathParameters(contract.path, path),
    stageVariables: null,
    requestContext: { requestId: randomUUID(), identity: { sourceIp } } as APIGatewayProxyEvent['requestContext'],
    ...encodeBody(body, readMediaType({ headers: Object.fromEntries(headers) })),
  };
}

/** Encodes a body as the gateway does: the bytes of JSON in base64, any other type as text. */
function encodeBody(
  body: unknown,
  mediaType: string | undefined,
): Pick<APIGatewayProxyEvent, 'body' | 'isBase64Encoded'> {
  if (body === undefined) return { body: null, isBase64Encoded: false };
  const isBase64Encoded = mediaType === 'application/json';
  const bytes =
    body instanceof Uint8Array
      ? Buffer.from(body)
      : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return { body: bytes.toString(isBase64Encoded ? 'base64' : 'utf8'), isBase64Encoded };
}

function readPathParameters(template: string, path: string): Record<string, string> | null {
  const segments = path.split('/');
  const parameters = template
    .split('/')
    .flatMap((part, index) => (part.startsWith('{') ? [[part.slice(1, -1), segments[index] ?? '']] : []));
  return parameters.length > 0 ? (Object.fromEntries(parameters) as Record<string, string>) : null;
}
