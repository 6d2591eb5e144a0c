import type { APIGatewayProxyEvent } from 'aws-lambda';

type RequestHeaders = Partial<Pick<APIGatewayProxyEvent, 'headers' | 'multiValueHeaders'>>;

/**
 * Finds the value of a request header, whatever the case of its name; undefined when it is missing or blank. Different
 * values of a repeated header are joined with commas (RFC 9110, 5.3), so that none of them is valid on its own: a
 * firewall or a log could see another one than the service.
 */
export function headerOf({ headers, multiValueHeaders }: RequestHeaders, name: string): string | undefined {
  const sent = [...readHeaderValues(headers, name), ...readHeaderValues(multiValueHeaders, name)].map((value) =>
    value.trim(),
  );
  return [...new Set(sent)].join(', ') || undefined;
}

/** Returns the media type of a body in lower case, without parameters; undefined if there is none, or several. */
export function mediaTypeOf(event: RequestHeaders): string | undefined {
  const [type, others] = headerOf(event, 'content-type')?.split(',') ?? [];
  return others === undefined ? type?.split(';')[0]?.trim().toLowerCase() : undefined;
}

/** Returns all values of a request header, whatever the case of its name. */
export function readHeaderValues(
  headers: RequestHeaders['headers' | 'multiValueHeaders'] | null,
  name: string,
): string[] {
  const entries = Object.entries(headers ?? {}).filter(([key]) => key.toLowerCase() === name);
  return entries.flatMap(([, values = []]) => values);
}
