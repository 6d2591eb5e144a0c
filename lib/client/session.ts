import { singleFlight } from './single-flight.ts';

/** The token with which calls are made. */
export interface Session {
  /** The token; logs in when there is none, once for all calls that need one. */
  token(signal: AbortSignal | undefined): Promise<string>;
  /** Forgets a token that was refused, unless another has taken its place. */
  discard(refused: string): void;
}

/** Starts without a token. */
export function createSession(logIn: (signal: AbortSignal) => Promise<string>): Session {
  let token: string | undefined;
  const renew = singleFlight(async (signal) => (token = await logIn(signal)));
  return {
    token: async (signal) => token ?? renew(signal),
    discard(refused) {
      if (token === refused) token = undefined;
    },
  };
}
