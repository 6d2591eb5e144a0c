import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { PORTAL_POLICIES, type RatePolicy } from '../../../lib/rate-limit/policies.ts';
import { createSlidingWindow, type RateCounterStore } from '../../../lib/rate-limit/sliding-window.ts';
import { createRateCounterTable } from '../../../lib/storage/access/rate-counter-table.ts';
import { useEngine } from '../../support/setup/use-engine.ts';
import { newId } from '../../support/data/seed.ts';

const START = Date.parse('2026-05-01T10:00:00.000Z');
const WINDOW_MS = 60_000;

const engine = useEngine();
let table: RateCounterStore;
beforeAll(async () => {
  table = createRateCounterTable(engine.client, engine.tables.RateCounters);
});

/** The rule itself, over a log of everything that was accepted. */
function referenceLog({ limit }: RatePolicy) {
  const accepted: number[] = [];
  return (nowMs: number) => {
    const recent = () => accepted.filter((time) => time > nowMs - WINDOW_MS);
    const isAccepted = recent().length < limit;
    if (isAccepted) accepted.push(nowMs);
    const [oldest = nowMs] = recent();
    const status = { limit, remaining: limit - recent().length, resetAt: Math.ceil((oldest + WINDOW_MS) / 1000) };
    if (isAccepted) return { kind: 'allowed', status };
    return { kind: 'refused', status, retryAfterSeconds: Math.ceil((oldest + WINDOW_MS - nowMs) / 1000) };
  };
}

// Bursts, the edges of the window, and everything between.
const pause = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(0, 1, 10) },
  { weight: 2, arbitrary: fc.integer({ min: 100, max: 9_000 }) },
  { weight: 1, arbitrary: fc.constantFrom(29_999, 30_000, 59_999, 60_000, 60_001) },
);
const policies = [PORTAL_POLICIES.read, PORTAL_POLICIES.write, { group: 'three', limit: 3, windowMs: WINDOW_MS }];

it('decides hundreds of random requests, each in a new process, as a log of all accepted ones would', async () => {
  let steps = 0;
  const property = fc.asyncProperty(
    fc.constantFrom(...policies),
    fc.array(pause, { minLength: 40, maxLength: 120 }),
    async (policy, pauses) => {
      const reference = referenceLog(policy);
      const subject = newId();
      let nowMs = START;
      for (const pauseMs of pauses) {
        nowMs += pauseMs;
        const window = createSlidingWindow(table);
        expect(await window.count(subject, policy, new Date(nowMs))).toEqual(reference(nowMs));
        steps++;
      }
    },
  );
  await fc.assert(property, { numRuns: 15 });
  expect(steps).toBeGreaterThan(500);
});

describe('a request that is counted', () => {
  it('is forgotten after 60 s, and not 1 ms earlier, also for a process that remembers nothing [limits/sliding-window]', async () => {
    const policy = { group: 'two', limit: 2, windowMs: WINDOW_MS };
    const subject = newId();
    const wait = async (ms: number) => {
      const decision = await createSlidingWindow(table).count(subject, policy, new Date(START + ms));
      return decision.kind === 'refused' ? decision.retryAfterSeconds : undefined;
    };
    expect([await wait(0), await wait(1)]).toEqual([undefined, undefined]);
    expect([await wait(WINDOW_MS - 1), await wait(WINDOW_MS)]).toEqual([1, undefined]);
  });
});

// Fifty times, because a race that is lost once in a while would pass by chance.
it('lets exactly 30 of 200 parallel requests pass, in as many processes', { tags: 'long' }, async () => {
  for (let round = 0; round < 50; round++) {
    const subject = newId();
    const requests = Array.from({ length: 200 }, (_, index) =>
      createSlidingWindow(table).count(subject, PORTAL_POLICIES.read, new Date(START + (index % 50))),
    );
    const decisions = await Promise.all(requests);
    expect(decisions.filter(({ kind }) => kind === 'allowed')).toHaveLength(30);
  }
});
