import { describe, expect, it } from 'vitest';
import { findZeroVariants, stripZeros, toCompactId } from '../../../infra/ops/import/zero-variants.ts';

describe('the leading zeros of an id', () => {
  it.each([
    ['0080101', '80101'],
    ['80101', '80101'],
    ['8000', '8000'],
    ['000', '0'],
    ['0', '0'],
  ])('are removed from %s, which gives %s', (id, stripped) => {
    expect(stripZeros(id)).toBe(stripped);
  });

  it.each([
    ['123456789012345678', ['0123456789012345678', '00123456789012345678']],
    ['0123456789012345678', ['123456789012345678', '00123456789012345678']],
    ['12345678901234567890', []],
  ])('make %j an id with the variants %j, up to 20 digits', (id, variants) => {
    expect(findZeroVariants(id)).toEqual(variants);
  });

  it('make 19 variants of an id of one digit', () => {
    expect(new Set(findZeroVariants('7')).size).toBe(19);
  });

  it('and digits beyond the exact integers do not make keys of different ids equal', () => {
    const ids = ['9007199254740993', '9007199254740992', '0080101', '80101', '0', '00', '999999999999999'];
    expect(new Set(ids.map(toCompactId)).size).toBe(ids.length);
  });
});
