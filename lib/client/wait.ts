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
