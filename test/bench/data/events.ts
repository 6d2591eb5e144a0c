import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Contract } from '../../../lib/contracts/contract.ts';

/** What a request says beside its credentials. */
export interface Request {
  readonly query?: Readonly<Record<string, string>>;
  readonly id?: string;
  readonly body?: object;
}

/** The event that the gateway makes of a request; with `base64` it hands the body on as it does to the service. */
export function eventOf(
  { method, path: resource }: Contract,
  headers: Readonly<Record<string, string>>,
  { query, id, body }: Request,
  { base64 }: { readonly base64: boolean },
): APIGatewayProxyEvent {
  const sent = { ...headers, ...(body && { 'content-type': 'application/json' }) };
  const path = resource.replace('{id}', id ?? '');
  const json = body ? Buffer.from(JSON.stringify(body)) : null;
  const identity = { sourceIp: '192.0.2.1', userAgent: 'bench' } as APIGatewayProxyEvent['requestContext']['identity'];
  return {
    resource,
    path,
    httpMethod: method,
    headers: sent,
    multiValueHeaders: inLists(sent),
    queryStringParameters: query ?? null,
    multiValueQueryStringParameters: query ? inLists(query) : null,
    pathParameters: id === undefined ? null : { id },
    stageVariables: null,
    requestContext: {
      accountId: '000000000000',
      apiId: 'bench',
      authorizer: null,
      httpMethod: method,
      identity,
      path,
      protocol: 'HTTP/1.1',
      requestId: randomUUID(),
      requestTimeEpoch: Date.now(),
      resourceId: resource,
      resourcePath: resource,
      stage: 'bench',
    },
    body: json && json.toString(base64 ? 'base64' : 'utf8'),
    isBase64Encoded: base64 && json !== null,
  };
}

function inLists(values: Readonly<Record<string, string>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value]]));
}
