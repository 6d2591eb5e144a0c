import { describe, expect, it } from 'vitest';
import { deliver } from '../../../infra/local/deliver-records.ts';
import { filterOf } from '../../../infra/local/event-filter.ts';
import type { Outcome } from '../../../infra/local/local-function.ts';

const passes = (pattern: object, record: object) => filterOf(JSON.stringify(pattern))(record);

describe('the filter of a stream', () => {
  const record = { eventName: 'INSERT', dynamodb: { Keys: { sk: { S: 'STATE#1' } }, NewImage: { id: { S: '' } } } };

  it.each([
    ['one of the values', { eventName: ['MODIFY', 'INSERT'] }, true],
    ['none of the values', { eventName: ['MODIFY'] }, false],
    ['a text that begins so', { dynamodb: { Keys: { sk: { S: [{ prefix: 'STATE#' }] } } } }, true],
    ['a text that begins otherwise', { dynamodb: { Keys: { sk: { S: [{ prefix: 'ST#' }] } } } }, false],
    ['no text, but something that is there', { dynamodb: { Keys: { sk: [{ prefix: 'STATE#' }] } } }, false],
    ['something that is there, though empty', { dynamodb: { NewImage: { id: { S: [{ exists: true }] } } } }, true],
    ['something that is not there', { dynamodb: { NewImage: { amount: { N: [{ exists: true }] } } } }, false],
    ['one part of two', { eventName: ['INSERT'], dynamodb: { Keys: { sk: { S: ['STATE#2'] } } } }, false],
  ])('of %s', (_, pattern, expected) => {
    expect(passes(pattern, record)).toBe(expected);
  });

  it.each([{ prefix: 1 }, { exists: false }, { prefix: 'a', suffix: 'b' }, 7])('knows no rule %j', (rule) => {
    expect(() => filterOf(JSON.stringify({ eventName: [rule] }))).toThrow('is not known on this machine');
  });
});

const records = ['1', '2', '3', '4'].map((SequenceNumber) => ({ dynamodb: { SequenceNumber } }));

type Numbered = { readonly dynamodb?: { readonly SequenceNumber?: string } };
const numberOf = ({ dynamodb }: Numbered) => dynamodb?.SequenceNumber ?? '';

/** What a function is called with, and what is given up, when it answers so. */
async function delivered(answer: (numbers: string, call: number) => Outcome) {
  const calls: string[] = [];
  const givenUp: string[] = [];
  const invoke = async ({ Records }: { Records: readonly Numbered[] }) => {
    const numbers = Records.map(numberOf).join('');
    calls.push(numbers);
    return answer(numbers, calls.length);
  };
  const giveUp = (record: Numbered) => givenUp.push(numberOf(record));
  await deliver({ retryAttempts: 3, invoke, giveUp, signal: new AbortController().signal }, records);
  return { calls, givenUp };
}
const failedAt = (itemIdentifier: string) => ({ result: { batchItemFailures: [{ itemIdentifier }] } });

const onceThen = (first: Outcome) => (_: string, call: number) => (call === 1 ? first : { result: {} });
const twoFails = (numbers: string) => (numbers.includes('2') ? failedAt('2') : { result: {} });

it.each<[string, (numbers: string, call: number) => Outcome, string, string[]]>([
  ['once when the function does them', () => ({ result: null }), '1234', []],
  ['from the first one that it names on', onceThen(failedAt('3')), '1234 34', []],
  ['in halves when it fails as a whole', onceThen({ failure: 'error' }), '1234 12 34', []],
  ['but for one that fails each time, after which the others go on', twoFails, '1234 234 23 2 2 3 4', ['2']],
])('the records of a stream reach the function in order, %s', async (_, answer, calls, givenUp) => {
  expect(await delivered(answer)).toEqual({ calls: calls.split(' '), givenUp });
});
