import { describe, expect, it } from 'vitest';
import { matchesPattern } from '../../../infra/local/stream-functions.ts';

describe('event patterns', () => {
  const record = { eventName: 'INSERT', dynamodb: { NewImage: { kind: { S: 'state' }, reason: { S: '' } } } };
  const buildPattern = (kinds: readonly string[]) => ({ dynamodb: { NewImage: { kind: { S: kinds } } } });

  it.each<[boolean, string, object]>([
    [true, 'the value is one of a list', buildPattern(['declaration', 'state'])],
    [false, 'the value is not in the list', buildPattern(['declaration'])],
    [false, 'the property is missing', { dynamodb: { NewImage: { command_id: { S: ['state'] } } } }],
    [false, 'an empty text is compared with another text', { dynamodb: { NewImage: { reason: { S: ['state'] } } } }],
    [true, 'two parts match', { eventName: ['INSERT'], ...buildPattern(['state']) }],
    [false, 'only one of two parts matches', { eventName: ['MODIFY'], ...buildPattern(['state']) }],
  ])('matchesPattern returns %s if %s', (expected, _, pattern) => {
    expect(matchesPattern(record, pattern)).toBe(expected);
  });

  it.each([{ prefix: 'INS' }, { exists: true }, 7])('matchesPattern rejects %j', (rule) => {
    expect(() => matchesPattern(record, { eventName: [rule] })).toThrow('is not implemented on this machine');
  });
});
