import type { Reply } from './exchange.ts';

const RETRIED_STATUSES: readonly number[] = [429, 500, 503];
const MAX_RETRIES = 4;

/**
 * Sends a request, and again after 429, 500 and 503, by status whatever the body says: after 1, 2, 4 and 8 seconds, or
 * after what a 429 says in Retry-After. Gives the last answer.
 */
export async function withRetries(
  send: () => Promise<Reply>,
  wait: (seconds: number) => Promise<void>,
): Promise<Reply> {
  for (let retries = 0; ; retries++) {
    const reply = await send();
    if (retries === MAX_RETRIES || !RETRIED_STATUSES.includes(reply.status)) return reply;
    await wait(retryAfterSeconds(reply) ?? 2 ** retries);
  }
}

/** Only whole seconds count, and no more of them than a timer can hold. */
function retryAfterSeconds({ status, headers }: Reply): number | undefined {
  const retryAfter = headers.get('Retry-After') ?? '';
  return status === 429 && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : undefined;
}
