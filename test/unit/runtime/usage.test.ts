import { describe, expect, it } from 'vitest';
import { currentUsage, withUsageTracking, recordCall } from '../../../lib/runtime/usage.ts';

const call = (startMs: number, endMs: number, units = {}) =>
  recordCall({ startMs, endMs, readUnits: 0, writeUnits: 0, ...units });

describe('the usage of a request', () => {
  it('adds up its calls and what they were charged; those side by side are one round trip', () => {
    withUsageTracking(() => {
      call(0, 10, { readUnits: 1.5 });
      call(1, 12, { readUnits: 2 });
      call(11, 20, { writeUnits: 7 });
      call(11, 21);
      expect(currentUsage()).toMatchObject({ calls: 4, roundTrips: 2, readUnits: 3.5, writeUnits: 7 });
    });
  });

  it('is its own, also when requests take turns; of calls that belong to no request it is nobody’s', async () => {
    const request = async (calls: number) => {
      for (let done = 0; done < calls; done++) {
        await Promise.resolve();
        call(done, done + 1);
      }
      return currentUsage().calls;
    };
    expect(await Promise.all([1, 4, 2].map((calls) => withUsageTracking(() => request(calls))))).toEqual([1, 4, 2]);
    call(0, 1);
    expect(() => currentUsage()).toThrow('withUsageTracking()');
  });
});
