import { marshall, NumberValueImpl as NumberValue, unmarshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { computeItemBytes, fromAttributeValues, toAttributeValues } from '../../../lib/tables/dynamodb/values.ts';

it('toAttributeValues and fromAttributeValues convert every item as the library of the SDK does', () => {
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 2 },
      fc.string({ unit: 'binary' }),
      fc.boolean(),
      fc.constantFrom(null, undefined),
      fc.integer(),
      fc.bigInt().map((digits) => NumberValue.from(digits)),
      fc.uniqueArray(fc.string(), { minLength: 1 }).map((members) => new Set(members)),
      fc.array(
        tie('value').filter((element) => element !== undefined),
        { maxLength: 3 },
      ),
      fc.dictionary(fc.string(), tie('value'), { maxKeys: 3, noNullPrototype: true }),
    ),
  }));
  fc.assert(
    fc.property(fc.dictionary(fc.string(), value, { maxKeys: 5, noNullPrototype: true }), (item) => {
      const values = marshall(item, { removeUndefinedValues: true });
      expect(toAttributeValues(item)).toEqual(values);
      expect(fromAttributeValues(values)).toStrictEqual(unmarshall(values, { wrapNumbers: true }));
    }),
  );
});

it.each([new Set(), new Set([1]), new Set(['a', 1]), new Uint8Array(1), new Map(), 1n])(
  'toAttributeValues rejects %o, which no item contains',
  (unknown) => {
    expect(() => toAttributeValues({ unknown })).toThrow('Items of this service contain no ');
  },
);

it.each([{ NS: ['1'] }, { BS: [new Uint8Array(1)] }, { B: new Uint8Array(1) }])(
  'fromAttributeValues rejects %o, which no item contains',
  (unknown) => {
    expect(() => fromAttributeValues({ unknown })).toThrow('Items of this service contain no ');
  },
);

it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER + 1])(
  'toAttributeValues rejects the number %d, which cannot be stored with all digits',
  (number) => {
    expect(() => toAttributeValues({ number })).toThrow();
  },
);

it.each([
  ['0', 1],
  ['7', 2],
  ['1050', 3],
  ['100200', 3],
  ['1000200', 4],
  ['0.0012', 2],
  ['-1050', 4],
  ['999999999999.999999', 10],
])('computeItemBytes counts a byte, one for two significant digits of %s, and one for a minus sign', (text, bytes) => {
  expect(computeItemBytes({ n: NumberValue.from(text) })).toBe('n'.length + bytes);
});

it('computeItemBytes rejects a value that no item contains', () => {
  expect(() => computeItemBytes({ f: () => 1 })).toThrow('Items of this service contain no function.');
});
