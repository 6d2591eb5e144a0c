import { describe, expect, it } from 'vitest';
import { matchesPattern } from '../../../infra/local/stream-functions.ts';

describe('event patterns', () => {
  const record = { eventName: 'INSERT', dynamodb: { Keys: { sk: { S: 'STATE#1' } }, NewImage: { id: { S: '' } } } };

  it.each<[boolean, string, object]>([
    [true, 'the value is one of a list', { eventName: ['MODIFY', 'INSERT'] }],
    [false, 'the value is not in the list', { eventName: ['MODIFY'] }],
    [true, 'the text has the prefix', { dynamodb: { Keys: { sk: { S: [{ prefix: 'STATE#' }] } } } }],
    [false, 'the text has another prefix', { dynamodb: { Keys: { sk: { S: [{ prefix: 'ST#' }] } } } }],
    [false, 'a prefix is compared with an object', { dynamodb: { Keys: { sk: [{ prefix: 'STATE#' }] } } }],
    [true, 'an empty text must exist', { dynamodb: { NewImage: { id: { S: [{ exists: true }] } } } }],
    [false, 'a missing property must exist', { dynamodb: { NewImage: { amount: { N: [{ exists: true }] } } } }],
    [false, 'only one of two parts matches', { eventName: ['INSERT'], dynamodb: { Keys: { sk: { S: ['A'] } } } }],
  ])('matchesPattern returns %s if %s', (expected, _, pattern) => {
    expect(matchesPattern(record, pattern)).toBe(expected);
  });

  it.each([{ prefix: 1 }, { exists: false }, { prefix: 'a', suffix: 'b' }, 7])('matchesPattern rejects %j', (rule) => {
    expect(() => matchesPattern(record, { eventName: [rule] })).toThrow('is not implemented on this machine');
  });
});
