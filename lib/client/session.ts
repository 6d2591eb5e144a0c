import { singleFlight } from './single-flight.ts';

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

/** Starts without a token. */
export function createSession(logIn: (signal: AbortSignal) => Promise<string>): Session {
  let token: string | undefined;
  const renew = singleFlight(async (signal) => (token = await logIn(signal)));
  return {
    async token(signal) {
      return token === undefined ? { value: await renew(signal), isNew: true } : { value: token, isNew: false };
    },
    discard(refused) {
      if (token === refused) token = undefined;
    },
  };
}
