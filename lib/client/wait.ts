import type { Reply } from './exchange.ts';

/** Passes time, also parts of a second; throws the signal's reason as soon as it is aborted. */
export type Wait = (seconds: number, signal?: AbortSignal) => Promise<void>;

/** Waits for real. */
export const wait: Wait = async (seconds, signal) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, seconds * 1000);
  });
  try {
    await untilAborted(elapsed, signal);
  } finally {
    clearTimeout(timer);
  }
};

/** Waits for a promise, but no longer than until the signal is aborted: then it throws the signal's reason. */
export async function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return promise;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason as Error);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  try {
    // Also when it was aborted before, so that the promise does not fail unheard.
    return await Promise.race([aborted, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

const RETRIED_STATUSES: readonly number[] = [429, 500, 503];
const MAX_RETRIES = 4;

/**
 * Sends a request, and again after 429, 500 and 503, by status whatever the body says: after 1, 2, 4 and 8 seconds, or
 * after what a 429 says in Retry-After. Gives the last answer.
 */
export async function withRetries(
  send: () => Promise<Reply>,
  pause: (seconds: number) => Promise<void>,
): Promise<Reply> {
  for (let retries = 0; ; retries++) {
    const reply = await send();
    if (retries === MAX_RETRIES || !RETRIED_STATUSES.includes(reply.status)) return reply;
    await pause(retryAfterSeconds(reply) ?? 2 ** retries);
  }
}

/** Only whole seconds count, and no more of them than a timer can hold. */
function retryAfterSeconds({ status, headers }: Reply): number | undefined {
  const retryAfter = headers.get('Retry-After') ?? '';
  return status === 429 && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : undefined;
}
