const SECOND_MS = 1000;

/**
 * From when on (ISO 8601) tokens of a user are valid when all its sessions end at `now`: from the next whole second,
 * because a token tells its time of issue in seconds. The result is later than `before` (undefined: there was none),
 * for which tokens may have been issued.
 */
export function tokensFromAfter(now: Date, before: string | undefined): string {
  const nextSecond = (ms: number) => (Math.floor(ms / SECOND_MS) + 1) * SECOND_MS;
  const laterThanBefore = before === undefined ? 0 : nextSecond(Date.parse(before));
  return new Date(Math.max(nextSecond(now.getTime()), laterThanBefore)).toISOString();
}

/** When to issue a token so that it is valid: now, or as soon as tokens are valid after the end of all sessions. */
export function timeOfIssue(now: Date, tokensFromMs: number): Date {
  return new Date(Math.max(now.getTime(), tokensFromMs));
}

/** Whether all sessions were ended after a token was issued (whole Unix seconds). */
export function hasEnded(issuedAtSeconds: number, tokensFromMs: number): boolean {
  return issuedAtSeconds * SECOND_MS < tokensFromMs;
}
