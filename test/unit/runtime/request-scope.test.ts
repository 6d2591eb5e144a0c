import { describe, expect, it } from 'vitest';
import {
  getCurrentDeadline,
  getCurrentUsage,
  type Deadline,
  recordCall,
  runWithinDeadline,
} from '../../../lib/runtime/request-scope.ts';

const runWithin = <Result>(ms: number, work: () => Promise<Result>) => runWithinDeadline(() => ms, work);
const remainingMs = async () => getCurrentDeadline()?.remainingMs();

describe('the deadline of a request', () => {
  it('withinDeadline reserves one second of the remaining time for the response', async () => {
    expect(await runWithin(5_000, remainingMs)).toBe(4_000);
  });

  it('the signal of a deadline is aborted when the time is over', async () => {
    const aborted = await runWithin(1_020, async () => {
      const signal = getCurrentDeadline()?.signal;
      const before = signal?.aborted;
      await new Promise((resolve) => signal?.addEventListener('abort', resolve));
      return [before, signal?.aborted, getCurrentDeadline()?.remainingMs()];
    });
    expect(aborted).toEqual([false, true, 0]);
  });

  it('a deadline uses the given clock, also if the clock jumps while the process is frozen', async () => {
    let clockMs = 10_000;
    const work = async () => {
      clockMs = -60_000;
      expect(getCurrentDeadline()?.remainingMs()).toBeLessThan(0);
    };
    await runWithinDeadline(() => clockMs, work);
  });

  it.each([
    ['succeeded', async () => 'done'],
    ['failed', () => Promise.reject(new Error('broken'))],
  ])('a deadline is over for background work as soon as its request has %s', async (_how, work) => {
    let deadline: Deadline | undefined;
    const request = runWithin(60_000, async () => {
      deadline = getCurrentDeadline();
      return work();
    });
    await request.catch(() => undefined);
    expect([deadline?.signal.aborted, deadline?.remainingMs()]).toEqual([true, 0]);
  });

  it('each request has its own deadline, and there is none outside a request', async () => {
    const readLater = () => new Promise((resolve) => setTimeout(resolve, 5)).then(remainingMs);
    expect(await Promise.all([runWithin(3_000, readLater), runWithin(7_000, readLater)])).toEqual([2_000, 6_000]);
    expect(getCurrentDeadline()).toBeUndefined();
  });
});

const addCall = (startMs: number, endMs: number, units = {}) =>
  recordCall({ startMs, endMs, readUnits: 0, writeUnits: 0, ...units });

describe('the usage of a request', () => {
  it('the usage of a request is the sum of its calls and units, and parallel calls are one round trip', async () => {
    const usage = await runWithin(9_000, async () => {
      addCall(0, 10, { readUnits: 1.5 });
      addCall(1, 12, { readUnits: 2 });
      addCall(11, 20, { writeUnits: 7 });
      addCall(11, 21);
      return getCurrentUsage();
    });
    expect(usage).toMatchObject({ calls: 4, roundTrips: 2, readUnits: 3.5, writeUnits: 7 });
  });

  it('each request has its own usage, and a call outside a request is not counted', async () => {
    const request = async (calls: number) => {
      for (let n = 0; n < calls; n++) {
        await Promise.resolve();
        addCall(n, n + 1);
      }
      return getCurrentUsage().calls;
    };
    expect(await Promise.all([1, 4, 2].map((calls) => runWithin(9_000, () => request(calls))))).toEqual([1, 4, 2]);
    addCall(0, 1);
    expect(() => getCurrentUsage()).toThrow('runWithinDeadline()');
  });
});
