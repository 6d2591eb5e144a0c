import type { Reply } from './exchange.ts';
import { REQUEST_LIMITS } from './portal-data.generated.ts';

/** The requests that share a limit: list, detail and checks; declarations; failed logins. */
export type RateGroup = 'reads' | 'writes' | 'login';

/** The state of a limit, from the headers of a response. */
export interface Rate {
  /** The maximum number of requests per window. */
  readonly limit: number;
  /** The number of requests that are left. */
  readonly remaining: number;
  /** When the next request becomes available, in Unix seconds by the clock of the service. */
  readonly reset: number;
}

/** The latest rate of each group; null before the first response. */
export type Rates = Readonly<Record<RateGroup, Rate | null>>;

/** Creates a record of the limits in responses, to delay requests. Before the first response it delays none. */
export function createPace() {
  const rates: Record<RateGroup, Rate | null> = { reads: null, writes: null, login: null };
  // By `performance.now()`; 0: a request is available. NaN: a response had no `Date`.
  const freeAtMs: Record<RateGroup, number> = { reads: 0, writes: 0, login: 0 };
  return {
    /** Records the rate of a response, unless the service did not count the request. */
    record(group: RateGroup, { status, headers }: Reply): void {
      const rate = parseRate(headers);
      // A counted request leaves less than the limit. An unknown caller, as in most 401s, receives the whole limit.
      if (!rate || (group !== 'login' && rate.remaining >= rate.limit)) return;
      rates[group] = rate;
      // `Date` is cut to its second, so this wait is at most one second too long. A 429 has Retry-After instead.
      const untilFreeMs = rate.reset * 1000 - Date.parse(headers.get('Date') ?? '');
      freeAtMs[group] = rate.remaining <= 0 && status !== 429 ? performance.now() + untilFreeMs : 0;
    },
    /** Returns for how long the group is throttled; 0 or less if a request is available, NaN if unknown. */
    getSecondsUntilFree(group: RateGroup): number {
      return Math.min((freeAtMs[group] - performance.now()) / 1000, REQUEST_LIMITS.windowSeconds);
    },
    rates: (): Rates => ({ ...rates }),
  };
}

function parseRate(headers: Headers): Rate | undefined {
  const parse = (name: string) => Number(headers.get(`X-RateLimit-${name}`) || Number.NaN);
  const rate = { limit: parse('Limit'), remaining: parse('Remaining'), reset: parse('Reset') };
  return Object.values(rate).every(Number.isSafeInteger) ? rate : undefined;
}
