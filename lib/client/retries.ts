import type { Reply } from './transport.ts';

// The maximum Retry-After that the client waits for. If it is longer, such as in a lockout of hours, the call fails.
const MAX_RETRY_AFTER_SECONDS = 120;
// The statuses of the temporary errors of the service, and of a gateway or a proxy in front of it.
const RETRYABLE_STATUSES: readonly number[] = [429, 500, 502, 503, 504];

/** A function that waits, even for a fraction of a second. If the signal is aborted, it throws the signal's reason. */
export type Wait = (seconds: number, signal?: AbortSignal) => Promise<void>;

/** Waits with a timer of the platform. */
export const wait: Wait = async (seconds, signal) => {
  const { promise: elapsed, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, seconds * 1000);
  await raceWithAbort(elapsed, signal).finally(() => clearTimeout(timer));
};

/** Awaits a promise. If the signal is aborted, throws the signal's reason at once. */
export async function raceWithAbort<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return promise;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason as Error);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  // The race also handles the rejection of `promise`, which would be unhandled if the signal is already aborted.
  return Promise.race([aborted, promise]).finally(() => signal.removeEventListener('abort', abort));
}

/** Sends a request again after 1, 2, 4, 8 … seconds, or the Retry-After of a 429. Returns the last reply. */
export async function withRetries(
  send: () => Promise<Reply>,
  options: { readonly wait: Wait; readonly maxAttempts: number },
  signal: AbortSignal | undefined,
): Promise<Reply> {
  for (let attempt = 1; ; attempt++) {
    const reply = await send();
    if (attempt >= options.maxAttempts || !isWorthRetrying(reply)) return reply;
    const backOffSeconds = 2 ** (attempt - 1);
    await options.wait(parseRetryAfter(reply) ?? backOffSeconds, signal);
  }
}

function isWorthRetrying(reply: Reply): boolean {
  if ((parseRetryAfter(reply) ?? 0) > MAX_RETRY_AFTER_SECONDS) return false;
  return 'error' in reply || RETRYABLE_STATUSES.includes(reply.status);
}

/** Returns the seconds in the Retry-After of a 429, or null for another reply. */
export function parseRetryAfter(reply: Reply): number | null {
  if ('error' in reply) return null;
  const retryAfter = reply.headers.get('Retry-After') ?? '';
  return reply.status === 429 && /^\d+$/.test(retryAfter) ? Number(retryAfter) : null;
}
