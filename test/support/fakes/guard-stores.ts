import type { GuardStore } from '../../../lib/access/login-guard.ts';
import { LOGIN_POLICY } from '../../../lib/domain/policies.ts';
import type { RateCounterStore } from '../../../lib/access/sliding-window.ts';

/** Creates a store of the login guard in memory, with the write conditions of its table. */
export function createGuardStoreFake(): GuardStore {
  const { limit, windowMs, lockoutMs } = LOGIN_POLICY;
  const records = new Map<string, number[]>();
  let failuresToday = 0;
  const readTimes = (source: string) => records.get(source) ?? Array<number>(limit).fill(0);
  const isLockedOut = (source: string, nowMs: number) => {
    const [oldest = 0, latest = 0] = [readTimes(source)[0], readTimes(source).at(-1)];
    return oldest > 0 && latest - oldest < windowMs && latest > nowMs - lockoutMs;
  };
  const buildDecision = (source: string, isAccepted: boolean) =>
    ({ kind: isAccepted ? 'accepted' : 'rejected', failureTimes: readTimes(source), failuresToday }) as const;
  return {
    readFailureTimes: async (source) => readTimes(source),
    recordSuccess: async (source, nowMs) => buildDecision(source, !isLockedOut(source, nowMs)),
    async recordFailure(source, nowMs) {
      const isAccepted = !isLockedOut(source, nowMs);
      if (isAccepted) records.set(source, [...readTimes(source).slice(1), nowMs]);
      if (isAccepted) failuresToday++;
      return buildDecision(source, isAccepted);
    },
  };
}

/** Creates a store of rate counters in memory, with the condition of its table. `keys` records all calls. */
export function createRateCountersFake(): RateCounterStore & { readonly keys: string[] } {
  const counters = new Map<string, readonly number[]>();
  const keys: string[] = [];
  return {
    keys,
    async add(key, { limit, windowMs }, nowMs) {
      keys.push(key);
      const times = counters.get(key) ?? [];
      if (times.length === limit && (times[0] ?? 0) > nowMs - windowMs) return { kind: 'full', times };
      counters.set(key, [...times, nowMs].slice(-limit));
      return { kind: 'added', times: counters.get(key) ?? [] };
    },
  };
}
