import type { Reply } from './reply.ts';
import type { GatewayResponse } from './stack-definition.ts';

const contentType = 'application/json';
const headerParameter = 'gatewayresponse.header.';

/** The gateway's own answer of a type as the template words it, or the default that the template has for its class. */
export function renderGatewayResponse(
  responses: readonly GatewayResponse[],
  type: string,
  fallback: 'DEFAULT_4XX' | 'DEFAULT_5XX',
  requestId: string,
): Reply {
  const ofType = (wanted: string) => responses.find(({ ResponseType }) => ResponseType === wanted);
  const response = ofType(type) ?? ofType(fallback);
  if (response === undefined) throw new Error(`The template has no gateway response ${type} or ${fallback}.`);

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
