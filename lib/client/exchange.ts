import type { ErrorCode, PropertyFault } from './portal-data.generated.ts';

/**
 * The code of an error: one of the service, NETWORK_ERROR without a response, or INVALID_RESPONSE if the response is not
 * one of this service. A later version of the service can have codes that this client does not know.
 */
export type PortalErrorCode = ErrorCode | 'NETWORK_ERROR' | 'INVALID_RESPONSE' | (string & Record<never, never>);

/** The properties of a PortalError. */
export interface PortalFailure {
  readonly code: PortalErrorCode;
  readonly message: string;
  readonly status: number | null;
  readonly requestId: string | null;
  readonly details?: readonly PropertyFault[] | undefined;
}

/** Why a call failed. The client puts no credentials into it; `message` and `details` of an answer are as they came. */
export class PortalError extends Error {
  override readonly name = 'PortalError';
  readonly code: PortalErrorCode;
  /** The HTTP status; null when there was no answer. */
  readonly status: number | null;
  /** By what the operators find the request; null when no answer of the service came. */
  readonly requestId: string | null;
  /** On VALIDATION_ERROR every invalid property, otherwise nothing. */
  readonly details: readonly PropertyFault[];

  constructor({ code, message, status, requestId, details = [] }: PortalFailure) {
    super(message);
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.details = details;
  }
}

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
    throw new PortalError({ code: 'NETWORK_ERROR', message, status: null, requestId: headers.get('X-Request-Id') });
  }
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

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether nobody else can read what is sent to this address: it is HTTPS, or HTTP that does not leave this machine. */
export function isConfidential(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
}

/** Throws a TypeError that names the first value that no header can hold; the message of fetch would quote it. */
export function checkHeaders(values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) {
    try {
      new Headers().set('x', value);
    } catch {
      throw new TypeError(`${name} has characters that cannot be sent in a header.`);
    }
  }
}
