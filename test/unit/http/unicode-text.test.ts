import { describe, expect, it } from 'vitest';
import { findMalformedProperties, buildEventWithBody } from '../../support/answers/unicode-check.ts';

const half = String.raw`"ok \ud83d"`;
const brokenIn = (json: string) => findMalformedProperties(buildEventWithBody(json));

describe('the text of a body', () => {
  it.each([
    [String.raw`{"notes": "\ud83d\u0020\ude00"}`, ['notes']],
    [`{"declarations": [{}, {"notes": ${half}}, ${half}]}`, ['declarations[1].notes', 'declarations[2]']],
    [`{"a": {"b2": ${half}, "2c": ${half}}}`, ['a.b2', 'a.2c']],
    [String.raw`{"a\ud83d": {"b": "\udc00"}}`, ['a\uFFFD', 'a\uFFFD.b']],
    [`{"__proto__": {"constructor": ${half}}}`, ['__proto__.constructor']],
  ])('is broken in %s', (json, properties) => {
    expect(brokenIn(json)).toEqual(properties);
  });

  it.each([
    ...[String.raw`{"notes": "\ud83d\ude00", "\uD83D\uDE00": 1}`, String.raw`{"notes": "\\ud83d"}`],
    ...['{"notes": "\uFFFD"}', String.raw`{"notes": "\ufffd \u0000"}`, 'null', ''],
  ])('is whole in %s', (json) => {
    expect(brokenIn(json)).toEqual([]);
    expect(findMalformedProperties({ body: json, isBase64Encoded: false })).toEqual([]);
  });

  it.each([
    ['Latin-1', Buffer.from('{"notes":"Caf\xe9"}', 'latin1')],
    ['a surrogate in three bytes', Buffer.concat([Buffer.from('{"notes":"'), Buffer.from([0xed, 0xa0, 0x80])])],
    ['a character cut short', Buffer.from('"😀').subarray(0, 3)],
    ['an overlong slash', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
  ])('must be UTF-8, and %s is not', (_what, bytes) => {
    expect(findMalformedProperties(buildEventWithBody(bytes))).toEqual(['body']);
  });

  it('is looked at too where it comes as text, and decoded for whoever reads it later', () => {
    expect(findMalformedProperties({ body: '{"notes": "ok \ud83d"}', isBase64Encoded: false })).toEqual(['body']);
    expect(findMalformedProperties({ body: `{"notes": ${half}}`, isBase64Encoded: false })).toEqual(['notes']);
    expect(findMalformedProperties({ body: null, isBase64Encoded: false })).toEqual([]);
    const event = buildEventWithBody('{"notes": "grúa 😀"}');
    expect(findMalformedProperties(event)).toEqual([]);
    expect(event).toEqual({ body: '{"notes": "grúa 😀"}', isBase64Encoded: false });
  });

  it.each([
    ['no JSON', `{"notes": ${half}`],
    ['larger than a body may be', Buffer.alloc(1_048_577, 0xff)],
    ['of more values than a body may have', `[${half}${',0'.repeat(10_000)}]`],
  ])('is left to the check that comes later when it is %s', (_what, body) => {
    expect(findMalformedProperties(buildEventWithBody(body))).toEqual([]);
  });

  it('is judged at any depth', () => {
    const deep = 9_999;
    const [property = ''] = brokenIn(`${'['.repeat(deep)}${half}${']'.repeat(deep)}`);
    expect(property).toMatch(/^(\[0\])+\[?0?…$/);
    expect(property.length).toBeLessThan(210);
    expect(brokenIn(`${'{"a":'.repeat(5_000)}${half}${'}'.repeat(5_000)}`)).toHaveLength(1);
  });

  it('is named 100 times at most, and with short names', () => {
    const many = brokenIn(`[${Array.from({ length: 10_000 }, () => half).join()}]`);
    expect(many).toEqual(Array.from({ length: 100 }, (_, index) => `[${index}]`));
    const [long = ''] = brokenIn(`{"${'n'.repeat(1_000_000)}": ${half}}`);
    expect(long).toBe(`${'n'.repeat(200)}…`);
    expect(brokenIn(`{"${'n'.repeat(200)}": ${half}}`)).toEqual(['n'.repeat(200)]);
  });
});

describe('the text of an address', () => {
  const names = Array.from({ length: 150 }, (_, index) => `${index}-${'n'.repeat(300)}`);
  const manyNames = Object.fromEntries(names.map((name) => [name, ['\uFFFD']]));
  it.each([
    ['of a path', { pathParameters: { id: '\uFFFD\uFFFD\uFFFD' } }, ['id']],
    ['of two', { pathParameters: { id: '1', other: '\ud83d' } }, ['other']],
    ['of a query', { multiValueQueryStringParameters: { b: ['a', '\udc00'], 'c\uFFFD': ['1'] } }, ['b', 'c\uFFFD']],
    ['of a whole path', { pathParameters: { id: '9001' } }, []],
    ['of a whole query', { multiValueQueryStringParameters: { search: ['Córdoba 😀', ''] } }, []],
    ['of nothing', { pathParameters: null, multiValueQueryStringParameters: null }, []],
    [
      'of 150 names, of which 100 are told, cut short',
      { multiValueQueryStringParameters: manyNames },
      names.slice(0, 100).map((name) => `${name.slice(0, 200)}…`),
    ],
  ])('%s is broken where half a character stands', (_, event, properties) => {
    expect(findMalformedProperties(event)).toEqual(properties);
  });
});
