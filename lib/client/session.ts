import { untilAborted } from './wait.ts';

/** A token to call with, and whether this caller has just waited for its login. */
export interface SessionToken {
  readonly value: string;
  readonly isNew: boolean;
}

/** The token with which calls are made. */
export interface Session {
  /** The token; logs in when there is none, once for all calls that need one. */
  token(signal: AbortSignal | undefined): Promise<SessionToken>;
  /** Forgets a token that was refused, unless another has taken its place. */
  discard(refused: string): void;
}

interface Login {
  readonly controller: AbortController;
  readonly token: Promise<string>;
  waiting: number;
}

/** Starts without a token. A login serves all callers that wait for it, and is aborted when the last of them leaves. */
export function createSession(logIn: (signal: AbortSignal) => Promise<string>): Session {
  let token: string | undefined;
  let login: Login | undefined;

  function begin(): Login {
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
    async token(signal) {
      return token === undefined ? { value: await renew(signal), isNew: true } : { value: token, isNew: false };
    },
    discard(refused) {
      if (token === refused) token = undefined;
    },
  };
}
