import { RETRYABLE_STATUSES, type RESPONSE_SHAPES } from './portal-data.generated.ts';
import { PortalError } from './portal-error.ts';

/** The part of `fetch` that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A request of this interface, with its body as JSON. */
export interface PortalRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A complete response, also of another service; `body` is undefined if it is not JSON. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Sends a request once; throws NETWORK_ERROR without a complete response in time, or the signal's reason. */
export async function exchange(
  fetch: Fetch,
  { url, ...request }: PortalRequest,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal | undefined },
): Promise<Reply> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const abortOrTimeout = signal ? AbortSignal.any([signal, timeout]) : timeout;
  let headers = new Headers();
  try {
    // The service never redirects. With a redirect of another server, `fetch` would send the API key to its target.
    const response = await fetch(url, { ...request, redirect: 'manual', signal: abortOrTimeout });
    headers = response.headers;
    const text = await response.text();
    // A complete body that is not JSON comes from another server. `readResponse` then throws INVALID_RESPONSE.
    const body: unknown = await new Response(text).json().catch(() => undefined);
    return { status: response.status, headers, body };
  } catch (error) {
    signal?.throwIfAborted();
    const message = timeout.aborted ? `No response within ${timeoutMs} ms.` : `No response${formatSystemCode(error)}.`;
    throw new PortalError({ code: 'NETWORK_ERROR', message, status: null, requestId: headers.get('X-Request-Id') });
  }
}

/** Formats the system code of an error as ` (ECONNRESET)`. Its message is omitted: it can quote headers and addresses. */
function formatSystemCode(error: unknown): string {
  const code = (error as { readonly cause?: { readonly code?: unknown } } | null)?.cause?.code;
  return typeof code === 'string' && /^[A-Z_]+$/.test(code) ? ` (${code})` : '';
}

/** A function that waits, also for a fraction of a second; it throws the signal's reason as soon as it is aborted. */
export type Wait = (seconds: number, signal?: AbortSignal) => Promise<void>;

export const wait: Wait = async (seconds, signal) => {
  const { promise: elapsed, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, seconds * 1000);
  await raceWithAbort(elapsed, signal).finally(() => clearTimeout(timer));
};

/** Awaits a promise; throws the signal's reason as soon as it is aborted. */
export async function raceWithAbort<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return promise;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason as Error);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  // The race also handles the rejection of `promise`, which would be unhandled if the signal is already aborted.
  return Promise.race([aborted, promise]).finally(() => signal.removeEventListener('abort', abort));
}

const MAX_RETRIES = 4;

/**
 * Sends a request, retries it after a retryable status, and returns the last response. The back-off
 * is 1, 2, 4 and 8 seconds, or the Retry-After of a 429.
 */
export async function withRetries(send: () => Promise<Reply>, pause: Wait, signal: AbortSignal | undefined) {
  for (let retries = 0; ; retries++) {
    const reply = await send();
    if (retries === MAX_RETRIES || !RETRYABLE_STATUSES.includes(reply.status)) return reply;
    await pause(parseRetryAfter(reply) ?? 2 ** retries, signal);
  }
}

/** Returns the seconds in the Retry-After of a 429; undefined for a date, or for more than six digits. */
function parseRetryAfter({ status, headers }: Reply): number | undefined {
  const retryAfter = headers.get('Retry-After') ?? '';
  return status === 429 && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : undefined;
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** True if no one else can read what is sent to this address: it is HTTPS, or HTTP that does not leave this machine. */
export function isConfidential(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
}

/** Throws a TypeError with the name of the first value that no header can contain; `fetch` would quote the value. */
export function checkHeaders(values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) {
    try {
      new Headers().set('x', value);
    } catch {
      throw new TypeError(`${name} has characters that cannot be sent in a header.`);
    }
  }
}

/** The requests that share a limit: list, detail and checks; declarations; failed logins. */
export type RateGroup = 'reads' | 'writes' | 'login';

/** The state of a limit, from the headers of a response. */
export interface Rate {
  /** The maximum number of requests per window. */
  readonly limit: number;
  /** The number of requests that are left. */
  readonly remaining: number;
  /** When the next request becomes available, in Unix seconds by the clock of the service. */
  readonly reset: number;
}

/** The latest rate of each group; null before the first response. */
export type Rates = Readonly<Record<RateGroup, Rate | null>>;

/** Parses the rate in the headers of a response; returns null if a header is missing or is not a whole number. */
export function parseRate(headers: Headers): Rate | null {
  const parse = (name: string) => Number(headers.get(`X-RateLimit-${name}`) || Number.NaN);
  const rate = { limit: parse('Limit'), remaining: parse('Remaining'), reset: parse('Reset') };
  return Object.values(rate).every(Number.isSafeInteger) ? rate : null;
}

/** The content of a successful response. */
export interface Success<Data, Meta = object> {
  readonly data: Data;
  readonly meta: Meta;
}

/** The required properties of a successful response, each with its JSON types, such as `string null`. */
export type ResponseShape = (typeof RESPONSE_SHAPES)[keyof typeof RESPONSE_SHAPES];

/** Returns the content of a success that has the shape; else throws the error of the service, or INVALID_RESPONSE. */
export function readResponse<Data, Meta = object>(
  { status, headers, body }: Reply,
  shape: ResponseShape,
): Success<Data, Meta> {
  const { success, data, meta, error } = isObject(body) ? body : {};
  const requestId = headers.get('X-Request-Id');
  const { code, message, details } = isObject(error) ? error : {};
  if (status >= 400 && success === false && typeof code === 'string' && typeof message === 'string') {
    throw new PortalError({ code, message, status, requestId, details: Array.isArray(details) ? details : [] });
  }

  let reason = '';
  if (status === 200 && success === true) {
    const mismatch = findMismatch('data', data, shape.data) ?? findMismatch('meta', meta, shape.meta);
    if (mismatch === undefined) return { data, meta } as Success<Data, Meta>;
    reason = `: ${mismatch}`;
  }
  const invalidMessage = `The response (status ${status}) is not one of this service${reason}.`;
  throw new PortalError({ code: 'INVALID_RESPONSE', message: invalidMessage, status, requestId });
}

/** Describes the first property that is missing or of another type; undefined if the value has the shape. */
function findMismatch(path: string, value: unknown, shape: Readonly<Record<string, string>>): string | undefined {
  if (!isObject(value)) return `${path} must be object`;
  for (const [name, types] of Object.entries(shape)) {
    const isExpected = types.split(' ').includes(getJsonType(value[name]));
    if (!isExpected) return `${path}.${name} must be ${types.replaceAll(' ', ' or ')}`;
  }
  return undefined;
}

function getJsonType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return getJsonType(value) === 'object';
}
