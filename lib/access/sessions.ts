/** The session of a token; `tokensNotBeforeMs` is absent in tokens of version 1.0.0. */
export interface Session {
  readonly issuedAtSeconds: number;
  /** The cutoff of its user when the token was issued, in Unix milliseconds; 0 if no session had been ended. */
  readonly tokensNotBeforeMs: number | undefined;
}

/** Returns the cutoff (ISO 8601) that ends all sessions of a user at `now`; it is later than `now` and `before`. */
export function nextTokenCutoff(now: Date, before: string | undefined): string {
  return new Date(Math.max(now.getTime(), Date.parse(before ?? '1970')) + 1).toISOString();
}

/** True if the sessions of a user were ended after a token was issued; `cutoffMs` is the current cutoff of the user. */
export function isTokenRevoked({ issuedAtSeconds, tokensNotBeforeMs }: Session, cutoffMs: number): boolean {
  // A token without the claim is one of an earlier version, which compared times.
  return tokensNotBeforeMs === undefined ? issuedAtSeconds * 1000 < cutoffMs : tokensNotBeforeMs !== cutoffMs;
}
