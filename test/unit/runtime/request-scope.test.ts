import { describe, expect, it } from 'vitest';
import {
  getCurrentDeadline,
  getCurrentUsage,
  type Deadline,
  recordCall,
  runWithinDeadline,
} from '../../../lib/runtime/request-scope.ts';

const within = <Result>(ms: number, work: () => Promise<Result>) => runWithinDeadline(() => ms, work);
const remainingMs = async () => getCurrentDeadline()?.remainingMs();

describe('the deadline of a request', () => {
  it('leaves a second of the time that is given for the answer', async () => {
    expect(await within(5_000, remainingMs)).toBe(4_000);
  });

  it('aborts its signal when the time is over', async () => {
    const aborted = await within(1_020, async () => {
      const signal = getCurrentDeadline()?.signal;
      const before = signal?.aborted;
      await new Promise((resolve) => signal?.addEventListener('abort', resolve));
      return [before, signal?.aborted, getCurrentDeadline()?.remainingMs()];
    });
    expect(aborted).toEqual([false, true, 0]);
  });

  it('follows the clock that it is given, also when that jumps while the process is frozen', async () => {
    let givenMs = 10_000;
    const work = async () => {
      givenMs = -60_000;
      expect(getCurrentDeadline()?.remainingMs()).toBeLessThan(0);
    };
    await runWithinDeadline(() => givenMs, work);
  });

  it.each([
    ['succeeded', async () => 'done'],
    ['failed', () => Promise.reject(new Error('broken'))],
  ])('is over for what a request leaves behind once it has %s', async (_how, work) => {
    let deadline: Deadline | undefined;
    const request = within(60_000, async () => {
      deadline = getCurrentDeadline();
      return work();
    });
    await request.catch(() => undefined);
    expect([deadline?.signal.aborted, deadline?.remainingMs()]).toEqual([true, 0]);
  });

  it('is its own for each request, and there is none outside of one', async () => {
    const later = () => new Promise((resolve) => setTimeout(resolve, 5)).then(remainingMs);
    expect(await Promise.all([within(3_000, later), within(7_000, later)])).toEqual([2_000, 6_000]);
    expect(getCurrentDeadline()).toBeUndefined();
  });
});

const call = (startMs: number, endMs: number, units = {}) =>
  recordCall({ startMs, endMs, readUnits: 0, writeUnits: 0, ...units });

describe('the usage of a request', () => {
  it('is the sum of its calls and their units, and parallel calls are one round trip', async () => {
    const usage = await within(9_000, async () => {
      call(0, 10, { readUnits: 1.5 });
      call(1, 12, { readUnits: 2 });
      call(11, 20, { writeUnits: 7 });
      call(11, 21);
      return getCurrentUsage();
    });
    expect(usage).toMatchObject({ calls: 4, roundTrips: 2, readUnits: 3.5, writeUnits: 7 });
  });

  it('is its own for each request, and a call outside of a request is not counted', async () => {
    const request = async (calls: number) => {
      for (let done = 0; done < calls; done++) {
        await Promise.resolve();
        call(done, done + 1);
      }
      return getCurrentUsage().calls;
    };
    expect(await Promise.all([1, 4, 2].map((calls) => within(9_000, () => request(calls))))).toEqual([1, 4, 2]);
    call(0, 1);
    expect(() => getCurrentUsage()).toThrow('runWithinDeadline()');
  });
});
