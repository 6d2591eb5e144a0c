/** The values of the X-RateLimit-* headers; `resetAt` is a Unix time in seconds. */
export interface RateStatus {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: number;
}

/** Computes the status at `nowMs` of a window with requests at `times`, both in Unix milliseconds. */
export function rateStatus(
  { limit, windowMs }: { limit: number; windowMs: number },
  times: readonly number[],
  nowMs: number,
): RateStatus {
  const inside = times.filter((time) => time > nowMs - windowMs);
  const oldestMs = inside.length > 0 ? Math.min(...inside) : nowMs;
  return {
    limit,
    remaining: Math.max(0, limit - inside.length),
    resetAt: Math.ceil((oldestMs + windowMs) / 1000),
  };
}

/** Computes the whole seconds from `nowMs` until `untilMs`, at least 1. */
export function secondsUntil(untilMs: number, nowMs: number): number {
  return Math.max(1, Math.ceil((untilMs - nowMs) / 1000));
}
