import { raceWithAbort } from './retries.ts';

/** Creates the session. All callers share its token and its login, which is aborted when every caller is aborted. */
export function createSession(logIn: (signal: AbortSignal) => Promise<string>) {
  let token: string | undefined;
  let login: ReturnType<typeof beginLogin> | undefined;

  function beginLogin() {
    const controller = new AbortController();
    const newToken = logIn(controller.signal).then((value) => {
      token = value;
      return value;
    });
    return { controller, newToken, waiterCount: 0 };
  }
  async function awaitLogin(signal: AbortSignal | undefined): Promise<string> {
    signal?.throwIfAborted();
    login ??= beginLogin();
    const current = login;
    current.waiterCount += 1;
    return raceWithAbort(current.newToken, signal).finally(() => {
      // The last caller that waits ends the login, so that an aborted login sends no more requests.
      current.waiterCount -= 1;
      if (current.waiterCount > 0) return;
      login = undefined;
      current.controller.abort();
    });
  }
  return {
    /** Returns the token; `isNew` is true if this call had to wait for a login. */
    async getToken(signal: AbortSignal | undefined): Promise<{ readonly value: string; readonly isNew: boolean }> {
      return token === undefined ? { value: await awaitLogin(signal), isNew: true } : { value: token, isNew: false };
    },
    /** Discards a rejected token, unless another call has already replaced it. */
    discard(rejectedToken: string): void {
      if (token === rejectedToken) token = undefined;
    },
  };
}
