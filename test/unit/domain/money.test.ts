import { describe, expect, it } from 'vitest';
import {
  decimal,
  computeDifference,
  computeDifferencePct,
  normaliseDecimal,
  roundHalfUp,
} from '../../../lib/domain/money.ts';

it.each([
  [0.1 + 0.2, '0.3'],
  [100.1 * 1.05, '105.105'],
  [1.1 * 3, '3.3'],
  [0.000_000_5, '0.000001'],
  [0.000_000_49, '0'],
  [1.000_000_5, '1.000001'],
  [999_999_999_999.99, '999999999999.99'],
  [0, '0'],
  [-0, '0'],
  ['12.3456785', '12.345679'],
  ['12.3456784999', '12.345678'],
])('normaliseDecimal rounds %s half up to 6 decimals: %s', (value, rounded) => {
  expect(normaliseDecimal(value).toFixed()).toBe(rounded);
});

it.each([
  ['0.00005', '0.0001'],
  ['0.00004999', '0'],
  ['-0.00005', '-0.0001'],
  ['2.5', '2.5'],
])('roundHalfUp rounds %s half away from zero to 4 decimals: %s', (value, rounded) => {
  expect(roundHalfUp(decimal(value), 4).toFixed()).toBe(rounded);
});

describe('differences', () => {
  it('differenceOf returns the exact declared amount minus the system amount', () => {
    expect(computeDifference(decimal('0.3'), decimal('0.1')).toFixed()).toBe('0.2');
    expect(computeDifference(decimal('999999999999.99'), decimal('0.000001')).toFixed()).toBe('999999999999.989999');
  });

  it.each([
    ['-5', '100', '-5'],
    ['1', '3', '33.3333'],
    ['0.04', '80000', '0.0001'],
    ['-0.04', '80000', '-0.0001'],
    ['0', '0', '0'],
    ['7', '0', '100'],
    ['-7', '0', '100'],
  ])('differencePct of %s and %s is %s, rounded half up to 4 decimals', (difference, system, pct) => {
    expect(computeDifferencePct(decimal(difference), decimal(system)).toFixed()).toBe(pct);
  });
});
