import { expect, it } from 'vitest';
import { publishRecords, type StreamRecord } from '../../../lib/events/publish-records.ts';
import type { InvoiceEvent } from '../../../lib/contracts/events.ts';
import { runWithinDeadline } from '../../../lib/runtime/request-scope.ts';
import { buildOperatorItem, buildRevisionRecord, buildStreamRecord } from '../../support/data/stream-records.ts';

/** Builds records with sequence numbers from 1: `a2` is revision 2 of invoice a, `!` cannot be read. */
const buildRecords = (words: string) =>
  words.split(' ').map((word, index) => {
    const sequenceNumber = String(index + 1);
    if (word === '!') return buildStreamRecord({ pk: 't.example#200#9001', sk: 1 }, sequenceNumber);
    return buildRevisionRecord({ invoiceId: word.slice(0, 1), revision: Number(word.slice(1)) }, sequenceNumber);
  });
const toWord = ({ detail }: InvoiceEvent) => `${detail.invoice_id}${'revision' in detail ? detail.revision : ''}`;

/** Publishes within 1.5 s to a bus that rejects each entry, or a whole `call`, for the given number of times. */
async function publish(all: readonly StreamRecord[], rejections: Record<string, number> = {}) {
  const calls: string[] = [];
  const published: string[] = [];
  const skipped: (string | undefined)[] = [];
  const remaining = { ...rejections };
  const put = async (events: readonly InvoiceEvent[]) => {
    const words = events.map(toWord);
    calls.push(words.join(' '));
    const failingCalls = remaining['call'] ?? 0;
    remaining['call'] = failingCalls - 1;
    if (failingCalls > 0) throw new Error('no response');
    return words.map((word) => {
      const rejectionsLeft = remaining[word] ?? 0;
      remaining[word] = rejectionsLeft - 1;
      return rejectionsLeft > 0 ? 'InternalFailure' : null;
    });
  };
  const end = performance.now() + 1_500;
  const failure = await runWithinDeadline(
    () => end - performance.now(),
    () =>
      publishRecords(all, {
        putEvents: put,
        onPublished: ({ detail }) => published.push(detail.invoice_id),
        onSkipped: ({ record }) => skipped.push(record.dynamodb?.SequenceNumber),
      }),
  );
  return { calls, published, skipped, from: failure?.record.dynamodb?.SequenceNumber };
}

it.each([
  ['records in one call', 'a1 b1 c1', {}, ['a1 b1 c1']],
  ['the records of one invoice in one call after the other', 'a1 b1 a2 b2 a3', {}, ['a1 b1', 'a2 b2', 'a3']],
  ['a rejected record again before later records of its invoice', 'a1 b1 a2', { a1: 1 }, ['a1 b1', 'a1', 'a2']],
  [
    'at most ten records in one call',
    'a1 b1 c1 d1 e1 f1 g1 h1 i1 j1 k1 l1',
    {},
    ['a1 b1 c1 d1 e1 f1 g1 h1 i1 j1', 'k1 l1'],
  ],
  ['records again if a call fails', 'a1 a2', { call: 1 }, ['a1', 'a1', 'a2']],
])('publishRecords sends %s', async (_, words, rejections, calls) => {
  const { published, ...result } = await publish(buildRecords(words), rejections);
  expect(result).toEqual({ calls, skipped: [], from: undefined });
  expect(published).toHaveLength(words.split(' ').length);
});

it.each([
  ['if the bus always rejects it', 'a1 b1 c1 b2', { b1: 1000 }, '2', ['a1 b1 c1', 'b1']],
  ['if every call fails', 'a1 a2', { call: 1000 }, '1', ['a1']],
])(
  'publishRecords returns the first unpublished record %s, and sends no later one of its invoice',
  async (_, words, rejections, from, calls) => {
    const result = await publish(buildRecords(words), rejections);
    expect([result.from, [...new Set(result.calls)]]).toEqual([from, calls]);
  },
);

it.each([
  ['is skipped, and later records are published', {}, ['a1 b1 c1'], ['3'], undefined],
  ['is also reported as skipped if another record fails', { b1: 1000 }, ['a1 b1 c1', 'b1'], ['3'], '2'],
])('a record that cannot be read %s', async (_, rejections, calls, skipped, from) => {
  const result = await publish(buildRecords('a1 b1 ! c1'), rejections);
  expect([[...new Set(result.calls)], result.skipped, result.from]).toEqual([calls, skipped, from]);
});

it('publishRecords ignores records without events', async () => {
  const other = buildStreamRecord(buildOperatorItem([{ city: null }, { city: 'Salta' }]));
  expect(await publish([other, ...buildRecords('a1')])).toMatchObject({ calls: ['a1'], from: undefined });
});
