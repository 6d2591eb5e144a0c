import type { ServerResponse } from 'node:http';
import type { StackDefinition } from './read-stack.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Buffer;
}

export function sendReply(response: ServerResponse, { status, headers, body }: Reply): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.statusCode = status;
  response.end(body);
}

export function jsonReply(status: number, value: unknown): Reply {
  const headers = { 'Content-Type': 'application/json', 'X-Content-Type-Options': 'nosniff' };
  return { status, headers, body: JSON.stringify(value) };
}

const contentType = 'application/json';
const headerParameter = 'gatewayresponse.header.';

/** Builds the gateway's own response of a type from the template; for an unknown type, that of DEFAULT_4XX. */
export function gatewayReply({ gatewayResponses }: StackDefinition, type: string, requestId: string): Reply {
  const find = (responseType: string) => gatewayResponses.find(({ ResponseType }) => ResponseType === responseType);
  const response = (find(type) ?? find('DEFAULT_4XX'))!;
  const context: Record<string, string> = { 'context.requestId': requestId };
  const headers = Object.entries(response.ResponseParameters).map(([name, value]) => [
    name.slice(headerParameter.length),
    value.startsWith("'") ? value.slice(1, -1) : (context[value] ?? ''),
  ]);
  return {
    status: Number(response.StatusCode),
    headers: { 'Content-Type': contentType, ...Object.fromEntries(headers) },
    body: response.ResponseTemplates[contentType] ?? '',
  };
}
