import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasTooManyValues } from '../../lib/http/request-text.ts';
import { brokenProperties, withBody } from '../support/answers/unicode-check.ts';

const text = fc.string({ unit: 'binary' });
const whole = fc.jsonValue({ stringUnit: 'binary' });
const half = fc.integer({ min: 0xd800, max: 0xdfff }).map((unit) => String.fromCharCode(unit));
const brokenText = fc.tuple(text, half, text).map((parts) => parts.join(''));

interface Broken {
  readonly value: unknown;
  /** Where in the value the broken text is; `name` and `[index]`. */
  readonly path: readonly string[];
}

/** Half a character as a text, or as the name of a property. */
const brokenValue: fc.Arbitrary<Broken> = fc.oneof(
  brokenText.map((value) => ({ value, path: [] })),
  fc.tuple(half, whole).map(([name, value]) => ({ value: { [name]: value }, path: ['\uFFFD'] })),
);

const inArray = fc.tuple(fc.array(whole), fc.array(whole)).map(([before, after]) => ({ value, path }: Broken) => ({
  value: [...before, value, ...after],
  path: [`[${before.length}]`, ...path],
}));
const inObject = fc
  .tuple(fc.constantFrom('notes', 'invoice_id', 'ñ'), fc.dictionary(fc.constantFrom('a', 'b', 'c'), whole))
  .map(([name, others]) => ({ value, path }: Broken) => ({
    value: { ...others, [name]: value },
    path: [name, ...path],
  }));

const broken = fc
  .tuple(brokenValue, fc.array(fc.oneof(inArray, inObject), { maxLength: 8 }))
  .map(([value, wrappers]) => wrappers.reduce<Broken>((inner, wrap) => wrap(inner), value));

/** JSON as serializers write it that escape all but ASCII. */
const escaped = (json: string, upperCase: boolean) =>
  json.replaceAll(/[^\0-\x7f]|(?<=\\u)[0-9a-f]{4}/g, (found) => {
    const unit = (character: string) => character.charCodeAt(0).toString(16).padStart(4, '0');
    const digits = found.length === 4 ? found : unit(found);
    const written = upperCase ? digits.toUpperCase() : digits;
    return found.length === 4 ? written : `\\u${written}`;
  });
const writers = fc.constantFrom(
  (value: unknown) => JSON.stringify(value),
  (value: unknown) => escaped(JSON.stringify(value), false),
  (value: unknown) => escaped(JSON.stringify(value), true),
);

/** The names and values in a value, each empty list or object as one that has something. */
function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const names = Array.isArray(value) ? 0 : Object.keys(value).length;
  const inner = Object.values(value);
  return Math.max(1, names + inner.length) + inner.reduce<number>((sum, one) => sum + valuesIn(one), 0);
}

describe('any JSON', () => {
  it('with half a character anywhere in it is refused, and the place is named', () => {
    fc.assert(
      fc.property(broken, writers, ({ value, path }, write) => {
        const name = path.join('.').replaceAll('.[', '[') || 'body';
        expect(brokenProperties(withBody(write(value)))).toEqual([name]);
      }),
      { numRuns: 200 },
    );
  });

  it('of whole characters passes, with the names and values that are counted in its text, however it is written', () => {
    const layouts = fc.constantFrom(undefined, 2, '\t');
    fc.assert(
      fc.property(whole, writers, layouts, (value, write, layout) => {
        const inText = { [`"\\${JSON.stringify(value)}`]: [JSON.stringify(value), '\\', value] };
        for (const json of [write(inText), JSON.stringify(inText, null, layout)]) {
          expect(brokenProperties(withBody(json))).toEqual([]);
          const counted = valuesIn(inText);
          expect([hasTooManyValues(json, counted - 1), hasTooManyValues(json, counted)]).toEqual([true, false]);
        }
      }),
      { numRuns: 200 },
    );
  });
});
