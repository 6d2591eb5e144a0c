import { describe, expect, it } from 'vitest';
import { growthOf } from '../../soak/memory.ts';

/** A sample each half minute. */
const samplesOf = (...service: number[]) =>
  service.map((megabytes, index) => ({ minute: (index + 1) / 2, service: megabytes, engine: index }));

const warmUp = [100, 200, 300, 400, 500, 500, 500, 500];

describe('the growth of the service in a soak', () => {
  it('is that of the last two minutes against the two around the third', () => {
    expect(growthOf(samplesOf(...warmUp, 999, 999, 999, 999, 999, 600, 600, 600, 600))).toBeCloseTo(0.2);
  });

  it('is nothing when memory goes up and down with the collector, and once far', () => {
    expect(growthOf(samplesOf(...warmUp, 480, 520, 500, 500, 900, 490))).toBe(0);
  });

  it('is negative when memory is given back', () => {
    expect(growthOf(samplesOf(...warmUp, 500, 500, 400, 400, 400, 400))).toBeCloseTo(-0.2);
  });
});
