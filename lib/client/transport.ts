import { PortalError, toCause } from './portal-error.ts';

// A host name of this machine: localhost, 127.0.0.1 or [::1].
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** The part of `fetch` that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A request of this interface, with its body as JSON. */
export interface PortalRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A complete response, even of another service, or the error without one. A `body` that is not JSON is undefined. */
export type Reply =
  { readonly status: number; readonly headers: Headers; readonly body: unknown } | { readonly error: PortalError };

/** Sends a request once. Returns NETWORK_ERROR without a complete response in time. If aborted, throws the reason. */
export async function sendRequest(
  fetch: Fetch,
  { url, ...request }: PortalRequest,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal | undefined },
): Promise<Reply> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const abortOrTimeout = signal ? AbortSignal.any([signal, timeout]) : timeout;
  let requestId: string | null = null;
  try {
    // The service never redirects. With a redirect of another server, `fetch` would send the API key to its target.
    const response = await fetch(url, { ...request, redirect: 'manual', signal: abortOrTimeout });
    const { status, headers } = response;
    requestId = headers.get('X-Request-Id');
    const text = await response.text();
    // A complete body that is not JSON comes from another server. `readResponse` then throws INVALID_RESPONSE.
    const body: unknown = await new Response(text).json().catch(() => undefined);
    return { status, headers, body };
  } catch (error) {
    signal?.throwIfAborted();
    const cause = toCause(timeout.aborted ? timeout.reason : error);
    const reason = timeout.aborted ? ` within ${timeoutMs} ms` : cause.code && ` (${cause.code})`;
    const message = `No response${reason ?? ''}.`;
    return { error: new PortalError({ code: 'NETWORK_ERROR', message, status: null, requestId, cause }) };
  }
}

/** True if an address has HTTPS, or HTTP on this machine. No one else can read what is sent there. */
export function isConfidential(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
}

/** Throws a TypeError for the first value that no header can contain. The error of `fetch` would contain the value. */
export function checkHeaders(values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) {
    try {
      new Headers().set('x', value);
    } catch {
      throw new TypeError(`${name} has characters that cannot be sent in a header.`);
    }
  }
}
