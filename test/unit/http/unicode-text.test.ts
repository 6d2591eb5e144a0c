import type { APIGatewayProxyEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../lib/domain/errors.ts';
import { requireUnicode } from '../../../lib/http/request-text.ts';

const brokenText = String.raw`"ok \ud83d"`;
const findBroken = (json: string) => findMalformedProperties(buildEventWithBody(json));

/** Returns the properties of an event that the service rejects because they are not well-formed Unicode. */
function findMalformedProperties(event: Partial<APIGatewayProxyEvent>): readonly string[] {
  try {
    requireUnicode(event as APIGatewayProxyEvent);
    return [];
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    expect(error.code).toBe('VALIDATION_ERROR');
    return (error.details ?? []).map(({ property, constraints }) => {
      expect(constraints).toMatchObject({ unicode: { en: `${property} must be well-formed Unicode text` } });
      expect(Object.keys(constraints)).toHaveLength(1);
      return property;
    });
  }
}

/** Builds an event whose body is in base64, as the gateway sends JSON. */
function buildEventWithBody(body: string | Uint8Array): Partial<APIGatewayProxyEvent> {
  return { body: Buffer.from(body as string).toString('base64'), isBase64Encoded: true };
}

describe('brokenProperties of a body', () => {
  it.each([
    [String.raw`{"notes": "\ud83d\u0020\ude00"}`, ['notes']],
    [`{"declarations": [{}, {"notes": ${brokenText}}, ${brokenText}]}`, ['declarations[1].notes', 'declarations[2]']],
    [`{"a": {"b2": ${brokenText}, "2c": ${brokenText}}}`, ['a.b2', 'a.2c']],
    [String.raw`{"a\ud83d": {"b": "\udc00"}}`, ['a\uFFFD', 'a\uFFFD.b']],
    [`{"__proto__": {"constructor": ${brokenText}}}`, ['__proto__.constructor']],
    [brokenText, ['body']],
  ])('finds the broken texts in the body %s', (json, properties) => {
    expect(findBroken(json)).toEqual(properties);
  });

  it.each([
    ...[String.raw`{"notes": "\ud83d\ude00", "\uD83D\uDE00": 1}`, String.raw`{"notes": "\\ud83d"}`],
    ...['{"notes": "\uFFFD"}', String.raw`{"notes": "\ufffd \u0000"}`, 'null', ''],
  ])('finds no broken text in the body %s', (json) => {
    expect(findBroken(json)).toEqual([]);
    expect(findMalformedProperties({ body: json, isBase64Encoded: false })).toEqual([]);
  });

  it.each([
    ['Latin-1', Buffer.from('{"notes":"Caf\xe9"}', 'latin1')],
    ['a surrogate in three bytes', Buffer.concat([Buffer.from('{"notes":"'), Buffer.from([0xed, 0xa0, 0x80])])],
    ['an incomplete character', Buffer.from('"😀').subarray(0, 3)],
    ['an overlong slash', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
  ])('reports a body that is not UTF-8: %s', (_what, bytes) => {
    expect(findMalformedProperties(buildEventWithBody(bytes))).toEqual(['body']);
  });

  it('checks a body that is sent as text, and decodes a base64 body for later readers', () => {
    expect(findMalformedProperties({ body: '{"notes": "ok \ud83d"}', isBase64Encoded: false })).toEqual(['body']);
    expect(findMalformedProperties({ body: `{"notes": ${brokenText}}`, isBase64Encoded: false })).toEqual(['notes']);
    expect(findMalformedProperties({ body: null, isBase64Encoded: false })).toEqual([]);
    const event = buildEventWithBody('{"notes": "grúa 😀"}');
    expect(findMalformedProperties(event)).toEqual([]);
    expect(event).toEqual({ body: '{"notes": "grúa 😀"}', isBase64Encoded: false });
  });

  it.each([
    ['not JSON', `{"notes": ${brokenText}`],
    ['larger than the limit', Buffer.alloc(1_048_577, 0xff)],
    ['an array with more values than the limit', `[${brokenText}${',0'.repeat(10_000)}]`],
  ])('ignores a body that a later check rejects: %s', (_what, body) => {
    expect(findMalformedProperties(buildEventWithBody(body))).toEqual([]);
  });

  it('finds a broken text at any depth', () => {
    const deep = 9_999;
    const [property = ''] = findBroken(`${'['.repeat(deep)}${brokenText}${']'.repeat(deep)}`);
    expect(property).toMatch(/^(\[0\])+\[?0?…$/);
    expect(property.length).toBeLessThan(210);
    expect(findBroken(`${'{"a":'.repeat(5_000)}${brokenText}${'}'.repeat(5_000)}`)).toHaveLength(1);
  });

  it('returns at most 100 broken properties, and shortens their names', () => {
    const many = findBroken(`[${Array.from({ length: 10_000 }, () => brokenText).join()}]`);
    expect(many).toEqual(Array.from({ length: 100 }, (_, index) => `[${index}]`));
    const [long = ''] = findBroken(`{"${'n'.repeat(1_000_000)}": ${brokenText}}`);
    expect(long).toBe(`${'n'.repeat(200)}…`);
    expect(findBroken(`{"${'n'.repeat(200)}": ${brokenText}}`)).toEqual(['n'.repeat(200)]);
  });
});

describe('brokenProperties of a URL', () => {
  const names = Array.from({ length: 150 }, (_, index) => `${index}-${'n'.repeat(300)}`);
  const manyNames = Object.fromEntries(names.map((name) => [name, ['\uFFFD']]));
  it.each([
    ['a path', { pathParameters: { id: '\uFFFD\uFFFD\uFFFD' } }, ['id']],
    ['a path with two parameters', { pathParameters: { id: '1', other: '\ud83d' } }, ['other']],
    ['a query', { multiValueQueryStringParameters: { b: ['a', '\udc00'], 'c\uFFFD': ['1'] } }, ['b', 'c\uFFFD']],
    ['a valid path', { pathParameters: { id: '9001' } }, []],
    ['a valid query', { multiValueQueryStringParameters: { search: ['Córdoba 😀', ''] } }, []],
    ['no parameters', { pathParameters: null, multiValueQueryStringParameters: null }, []],
    [
      '150 names, of which only the first 100 are returned, and shortened',
      { multiValueQueryStringParameters: manyNames },
      names.slice(0, 100).map((name) => `${name.slice(0, 200)}…`),
    ],
  ])('finds the broken texts in the parameters of a URL: %s', (_, event, properties) => {
    expect(findMalformedProperties(event)).toEqual(properties);
  });
});
