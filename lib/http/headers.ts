import type { APIGatewayProxyEvent } from 'aws-lambda';

type RequestHeaders = Partial<Pick<APIGatewayProxyEvent, 'headers' | 'multiValueHeaders'>>;

/**
 * Reads the value of a request header, whatever the case of its name; undefined if the header is missing or blank.
 * Different values of a repeated header are joined with commas (RFC 9110, 5.3). The joined text is rejected as invalid.
 * If the service selected one value instead, a firewall or a log could see another one.
 */
export function readHeader({ headers, multiValueHeaders }: RequestHeaders, name: string): string | undefined {
  const values = [...readHeaderValues(headers, name), ...readHeaderValues(multiValueHeaders, name)];
  const distinctValues = new Set(values.map((value) => value.trim()));
  return [...distinctValues].join(', ') || undefined;
}

/** Reads the media type of a body in lower case, without parameters. Returns undefined if there is none, or several. */
export function readMediaType(event: RequestHeaders): string | undefined {
  const contentType = readHeader(event, 'content-type');
  if (contentType === undefined || contentType.includes(',')) return undefined;
  return contentType.split(';')[0]?.trim().toLowerCase();
}

/** Reads all values of a request header, whatever the case of its name. `name` is in lower case. */
export function readHeaderValues(
  headers: RequestHeaders['headers' | 'multiValueHeaders'] | null,
  name: string,
): string[] {
  const entries = Object.entries(headers ?? {}).filter(([key]) => key.toLowerCase() === name);
  return entries.flatMap(([, values = []]) => values);
}
