import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

/** The value of a `Host` header for this machine, such as `localhost:3000`, `127.0.0.1` or `[::1]:3000`. */
const LOOPBACK_HOST = /^(?:(?:[a-z\d-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/** True if the called name always belongs to this machine. Others can point any other name to it (DNS rebinding). */
export function hasLoopbackHost({ host = '' }: IncomingHttpHeaders): boolean {
  return LOOPBACK_HOST.test(host);
}

/** True if a page in a browser sent the request. Programs send neither of these headers. */
export function isFromPage({ origin, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  return origin !== undefined || site !== undefined;
}

/** True if a page of another origin than the called one sent the request. */
export function isFromOtherOrigin({ host, origin, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  if (origin !== undefined && origin !== `http://${host}`) return true;
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

/** A response to send, with its headers by name. */
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

/** Builds the response to an invalid command of a path that only the local service has. */
export function buildUsageReply(usage: string): Reply {
  return buildJsonReply(400, { success: false, error: { code: 'VALIDATION_ERROR', message: usage } });
}

/** Returns the properties of a JSON object, or none for another text. */
export function parseJsonObject(body: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(body)) as Record<string, unknown>;
  } catch {
    return {};
  }
}

export function buildJsonReply(status: number, value: unknown): Reply {
  const headers = { 'Content-Type': 'application/json', 'X-Content-Type-Options': 'nosniff' };
  return { status, headers, body: JSON.stringify(value) };
}
