/** What the X-RateLimit-* headers say; `resetAt` is a Unix time in seconds. */
export interface RateStatus {
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: number;
}

/** The status of a window that holds `times` (Unix milliseconds) at `nowMs`. */
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

/** Whole seconds from `nowMs` until `untilMs`, at least 1. */
export function secondsUntil(untilMs: number, nowMs: number): number {
  return Math.max(1, Math.ceil((untilMs - nowMs) / 1000));
}
