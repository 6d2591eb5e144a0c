import { describe, expect, it } from 'vitest';
import {
  type BusEntry,
  splitIntoCalls,
  readStreamEvent,
  publishRecords,
  type StreamRecord,
} from '../../../lib/events/publish-records.ts';
import { runWithinDeadline } from '../../../lib/runtime/request-scope.ts';
import { revisionRecord, streamRecord } from '../../support/data/stream-records.ts';

/** A revision of an invoice, as `a2`: the second one of invoice a. The records are numbered from 1. */
const records = (words: string) =>
  words.split(' ').map((word, index) => {
    const sequenceNumber = String(index + 1);
    if (word === '!') return streamRecord({ pk: 't.example#200#9001', sk: 1 }, sequenceNumber);
    return revisionRecord({ invoiceId: word.slice(0, 1), revision: Number(word.slice(1)) }, sequenceNumber);
  });
const wordOf = ({ detail }: Pick<BusEntry, 'detail'>) => {
  const { invoice_id: invoice, revision } = JSON.parse(detail);
  return `${invoice}${revision}`;
};

/** Publishes within a second and a half to a bus that does not take an entry for so many times. */
async function publish(all: readonly StreamRecord[], refusals: Record<string, number> = {}) {
  const calls: string[] = [];
  const told: string[] = [];
  const skipped: (string | undefined)[] = [];
  const refused = { ...refusals };
  const put = async (entries: readonly BusEntry[]) => {
    const words = entries.map(wordOf);
    calls.push(words.join(' '));
    const unanswered = refused['call'] ?? 0;
    refused['call'] = unanswered - 1;
    if (unanswered > 0) throw new Error('no answer');
    return words.map((word) => {
      const left = refused[word] ?? 0;
      refused[word] = left - 1;
      return left > 0 ? 'InternalFailure' : null;
    });
  };
  const end = performance.now() + 1_500;
  const failure = await runWithinDeadline(
    () => end - performance.now(),
    () =>
      publishRecords(all, {
        putEvents: put,
        toEvent: readStreamEvent,
        onPublished: ({ detail }) => told.push(detail.invoice_id),
        onSkipped: ({ record }) => skipped.push(record.dynamodb?.SequenceNumber),
      }),
  );
  return { calls, told, skipped, from: failure?.record.dynamodb?.SequenceNumber };
}

describe('the records of a batch', () => {
  it.each([
    ['go in one call', 'a1 b1 c1', {}, ['a1 b1 c1']],
    ['of one invoice go in calls one after the other', 'a1 b1 a2 b2 a3', {}, ['a1 b1', 'a2 b2', 'a3']],
    ['that the bus does not take go again, and nothing overtakes them', 'a1 b1 a2', { a1: 1 }, ['a1 b1', 'a1', 'a2']],
    ['go again when the bus does not answer', 'a1 a2', { call: 1 }, ['a1', 'a1', 'a2']],
  ])('%s', async (_, words, refusals, calls) => {
    const { told, ...result } = await publish(records(words), refusals);
    expect(result).toEqual({ calls, skipped: [], from: undefined });
    expect(told).toHaveLength(words.split(' ').length);
  });

  it.each([
    ['that the bus never takes', 'a1 b1 c1 b2', { b1: 1000 }, '2', ['a1 b1 c1', 'b1']],
    ['from which on the bus does not answer', 'a1 a2', { call: 1000 }, '1', ['a1']],
  ])('are begun anew at the first one %s, and none after it goes out', async (_, words, refusals, from, calls) => {
    const result = await publish(records(words), refusals);
    expect([result.from, [...new Set(result.calls)]]).toEqual([from, calls]);
  });

  it.each([
    ['is skipped, and those after it are published', {}, ['a1 b1 c1'], ['3'], undefined],
    ['is reported once, when no retry begins before it', { b1: 1000 }, ['a1 b1 c1', 'b1'], [], '2'],
    ['is reported before a failure that follows it', { c1: 1000 }, ['a1 b1 c1', 'c1'], ['3'], '4'],
  ])('a record that cannot be read %s', async (_, refusals, calls, skipped, from) => {
    const result = await publish(records('a1 b1 ! c1'), refusals);
    expect([[...new Set(result.calls)], result.skipped, result.from]).toEqual([calls, skipped, from]);
  });

  it('that are of something else are passed over', async () => {
    const other = streamRecord({ pk: 'REQUEST#r', sk: 7 });
    expect(await publish([other, ...records('a1')])).toMatchObject({ calls: ['a1'], from: undefined });
  });
});

it.each([
  ['at most ten events', Array<number>(12).fill(100), [10, 2]],
  ['at most 256 KB', [100_000, 100_000, 100_000, 300_000, 5], [2, 1, 1, 1]],
])('a call holds %s', (_, sizes, lengths) => {
  const messages = sizes.map((size, index) => ({
    event: { detail: { tenant: 't', supplier_id: '1', invoice_id: String(index) } },
    entry: { type: 'InvoiceDeclared', time: '', detail: 'x'.repeat(size) },
  }));
  expect(splitIntoCalls(messages as never[]).map(({ length }) => length)).toEqual(lengths);
});
