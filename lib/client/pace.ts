import type { Reply } from './exchange.ts';

/** Which requests are counted together: list, detail and checks; declarations; failed logins. */
export type RateGroup = 'reads' | 'writes' | 'login';

/** What the service said of a limit. */
export interface Rate {
  /** How many requests a window takes. */
  readonly limit: number;
  /** How many of them are left. */
  readonly remaining: number;
  /** When the next of them is free again, in Unix seconds by the clock of the service. */
  readonly reset: number;
}

/** The last figures of each group; null: none have come yet. */
export type Rates = Readonly<Record<RateGroup, Rate | null>>;

const WINDOW_SECONDS = 60;

/** Keeps what answers say of the limits. It starts without figures, and holds nothing back. */
export function createPace() {
  const rates: Record<RateGroup, Rate | null> = { reads: null, writes: null, login: null };
  // In seconds by the clock of the service; 0: it is free.
  const freeAt: Record<RateGroup, number> = { reads: 0, writes: 0, login: 0 };
  // How far the clock of the service is ahead of the one that nobody here sets; NaN: nobody knows.
  let aheadMs = Number.NaN;

  /** A Date is cut to its second. So the one that is furthest ahead is nearest to the truth, until one disproves it. */
  function compareClocks({ headers, sentAtMs }: Reply): void {
    const dateMs = Date.parse(headers.get('Date') ?? '');
    const leastMs = dateMs - performance.now();
    const mostMs = dateMs + 1000 - sentAtMs;
    if (!(aheadMs >= leastMs && aheadMs <= mostMs)) aheadMs = leastMs;
  }
  return {
    /** Takes the figures of an answer, unless they are those of a caller whom the service did not count. */
    note(group: RateGroup, reply: Reply): void {
      compareClocks(reply);
      const rate = rateIn(reply.headers);
      // Who was counted has used one up. A caller who is not known, as with most 401s, is told the whole limit.
      if (!rate || (group !== 'login' && rate.remaining >= rate.limit)) return;
      rates[group] = rate;
      // A 429 says by itself how long to wait.
      freeAt[group] = rate.remaining <= 0 && reply.status !== 429 ? rate.reset : 0;
    },
    /** How long a request of the group would be refused; from 0 on down when it passes, NaN when nobody knows. */
    secondsUntilFree(group: RateGroup): number {
      const now = (performance.now() + aheadMs) / 1000;
      return Math.min(freeAt[group] - now, WINDOW_SECONDS);
    },
    rates: (): Rates => ({ ...rates }),
  };
}

function rateIn(headers: Headers): Rate | undefined {
  const figure = (name: string) => Number(headers.get(`X-RateLimit-${name}`) || Number.NaN);
  const rate = { limit: figure('Limit'), remaining: figure('Remaining'), reset: figure('Reset') };
  return Object.values(rate).every(Number.isSafeInteger) ? rate : undefined;
}
