import { PortalError } from './portal-error.ts';

/** As much of `fetch` as the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A request of this interface, with its body as JSON. */
export interface PortalRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An answer that came to its end, whatever it is; a body that is not JSON is undefined. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  /** When the request was sent, by `performance.now()`. */
  readonly sentAtMs: number;
}

/** Sends a request once; throws NETWORK_ERROR without a whole answer in time, and the signal's reason on an abort. */
export async function exchange(
  fetch: Fetch,
  { url, ...request }: PortalRequest,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal | undefined },
): Promise<Reply> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const either = signal ? AbortSignal.any([signal, timeout]) : timeout;
  let headers = new Headers();
  const sentAtMs = performance.now();
  try {
    // The service never redirects, and the API key would go along to wherever another did.
    const response = await fetch(url, { ...request, redirect: 'manual', signal: either });
    headers = response.headers;
    return { status: response.status, headers, body: parseJson(await response.text()), sentAtMs };
  } catch (error) {
    signal?.throwIfAborted();
    const message = timeout.aborted ? `No answer within ${timeoutMs} ms.` : `No answer${systemCode(error)}.`;
    throw new PortalError({ code: 'NETWORK_ERROR', message, status: null, requestId: requestIdOf(headers) });
  }
}

/** By what the operators find a request; null when its answer does not say. */
export function requestIdOf(headers: Headers): string | null {
  return headers.get('X-Request-Id');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Nothing else is taken over: messages of fetch can quote headers and addresses. */
function systemCode(error: unknown): string {
  const code = (error as { readonly cause?: { readonly code?: unknown } } | null)?.cause?.code;
  return typeof code === 'string' && /^[A-Z_]+$/.test(code) ? ` (${code})` : '';
}
