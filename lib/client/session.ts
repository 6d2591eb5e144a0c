import { untilAborted } from './wait.ts';

/**
 * Holds the token of all calls, and starts without one. A login serves all callers that wait for it, and is aborted when
 * the last of them leaves.
 */
export function createSession(logIn: (signal: AbortSignal) => Promise<string>) {
  let token: string | undefined;
  let login: ReturnType<typeof begin> | undefined;

  function begin() {
    const controller = new AbortController();
    return { controller, token: logIn(controller.signal).then((value) => (token = value)), waiting: 0 };
  }
  async function renew(signal: AbortSignal | undefined): Promise<string> {
    signal?.throwIfAborted();
    const current = (login ??= begin());
    current.waiting += 1;
    try {
      return await untilAborted(current.token, signal);
    } finally {
      current.waiting -= 1;
      if (current.waiting === 0) {
        login = undefined;
        current.controller.abort();
      }
    }
  }
  return {
    /** The token, and whether this caller has just waited for its login. */
    async token(signal: AbortSignal | undefined): Promise<{ readonly value: string; readonly isNew: boolean }> {
      return token === undefined ? { value: await renew(signal), isNew: true } : { value: token, isNew: false };
    },
    /** Forgets a token that was refused, unless another has taken its place. */
    discard(refused: string): void {
      if (token === refused) token = undefined;
    },
  };
}
