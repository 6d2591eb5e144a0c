import { expect, it } from 'vitest';
import { growthOf } from '../../soak/memory.ts';

const warmUp = [100, 200, 300, 400, 500, 500, 500, 500];

it.each([
  ['the last two minutes against the two around the third', [999, 999, 999, 999, 999, 600, 600, 600, 600], 0.2],
  ['nothing when memory goes up and down with the collector, and once far', [480, 520, 500, 500, 900, 490], 0],
  ['negative when memory is given back', [500, 500, 400, 400, 400, 400], -0.2],
])('the growth of the service in a soak is %s', (_, after, growth) => {
  // A sample each half minute.
  const samples = [...warmUp, ...after].map((service, index) => ({ minute: (index + 1) / 2, service, engine: index }));
  expect(growthOf(samples)).toBeCloseTo(growth);
});
