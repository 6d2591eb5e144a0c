import { NumberValue } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { fromInteger, toInteger } from '../../../lib/tables/dynamodb/values.ts';

describe('a stored integer', () => {
  it.each([0, 1, -1, 1_777_630_058_000, Number.MAX_SAFE_INTEGER])('a stored integer is read unchanged: %d', (value) => {
    expect(toInteger(fromInteger(value))).toBe(value);
  });

  it('toInteger returns the millisecond of a unique timestamp, without its decimals', () => {
    expect(toInteger(NumberValue.from('1777630058000.000000001'))).toBe(1_777_630_058_000);
    expect(toInteger(NumberValue.from('1777630058000.999999991'))).toBe(1_777_630_058_000);
  });
});
