import type { APIGatewayProxyEvent } from 'aws-lambda';
import { hashApiKey } from '../auth/api-keys.ts';

/** The value of a request header, whatever the case of its name; undefined when it is missing or blank. */
export function headerOf({ headers }: Pick<APIGatewayProxyEvent, 'headers'>, name: string): string | undefined {
  const entry = Object.entries(headers ?? {}).find(([key]) => key.toLowerCase() === name);
  return entry?.[1]?.trim() || undefined;
}

/** The hash of the API key in the request header X-API-Key; null when it is missing or blank. */
export function apiKeyHashOf(event: Pick<APIGatewayProxyEvent, 'headers'>): string | null {
  const apiKey = headerOf(event, 'x-api-key');
  return apiKey === undefined ? null : hashApiKey(apiKey);
}

/** All values of a request header that may be sent several times. */
export function headerValues({ multiValueHeaders }: Pick<APIGatewayProxyEvent, 'multiValueHeaders'>, name: string) {
  const entries = Object.entries(multiValueHeaders ?? {}).filter(([key]) => key.toLowerCase() === name);
  return entries.flatMap(([, values = []]) => values);
}

/** The media type of a body, in lower case and without parameters; undefined when there is none. */
export function mediaTypeOf(event: Pick<APIGatewayProxyEvent, 'headers'>): string | undefined {
  return headerOf(event, 'content-type')?.split(';')[0]?.trim().toLowerCase();
}
