import { describe, expect, it } from 'vitest';
import { currentUsage, measured, recordCall } from '../../../lib/runtime/usage.ts';

const call = (startMs: number, endMs: number, units = {}) =>
  recordCall({ startMs, endMs, readUnits: 0, writeUnits: 0, ...units });

describe('the usage of a request', () => {
  it('adds up its calls and what they were charged', () => {
    measured(() => {
      call(0, 1, { readUnits: 1.5 });
      call(1, 2, { readUnits: 2 });
      call(2, 3, { writeUnits: 7 });
      expect(currentUsage()).toMatchObject({ calls: 3, readUnits: 3.5, writeUnits: 7 });
    });
  });

  it('counts calls side by side as one round trip, and what began after them as another', () => {
    measured(() => {
      call(0, 10);
      call(1, 12);
      call(11, 20);
      call(11, 21);
      expect(currentUsage()).toMatchObject({ calls: 4, roundTrips: 2 });
    });
  });

  it('is its own, also when requests take turns', async () => {
    const request = async (calls: number) => {
      for (let done = 0; done < calls; done++) {
        await Promise.resolve();
        call(done, done + 1);
      }
      return currentUsage().calls;
    };
    expect(await Promise.all([1, 4, 2].map((calls) => measured(() => request(calls))))).toEqual([1, 4, 2]);
  });

  it('of calls that belong to no request is nobody’s', () => {
    call(0, 1);
    expect(() => currentUsage()).toThrow('measured()');
  });
});
