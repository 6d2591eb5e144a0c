import { RETRYABLE_STATUSES } from './portal-data.generated.ts';
import type { Reply } from './transport.ts';

/** A function that waits, also for a fraction of a second. If the signal is aborted, it throws the reason at once. */
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

const MAX_RETRIES = 4;

/**
 * Sends a request, retries it after a retryable status, and returns the last response. The back-off is 1, 2, 4
 * and 8 seconds, or the Retry-After of a 429.
 */
export async function withRetries(send: () => Promise<Reply>, waitFor: Wait, signal: AbortSignal | undefined) {
  for (let retries = 0; ; retries++) {
    const reply = await send();
    if (retries === MAX_RETRIES || !RETRYABLE_STATUSES.includes(reply.status)) return reply;
    await waitFor(parseRetryAfter(reply) ?? 2 ** retries, signal);
  }
}

/** Returns the seconds in the Retry-After of a 429; undefined for a date, or for more than six digits. */
function parseRetryAfter({ status, headers }: Reply): number | undefined {
  const retryAfter = headers.get('Retry-After') ?? '';
  return status === 429 && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : undefined;
}
