import { describe, expect, it } from 'vitest';
import { findViolations, type SentRecord, type StoredInvoice, type Told } from './proof-checks.ts';

/** A declaration that was sent in these seconds; its amount is its notes' length. */
function sentAs(notes: string, told: Told, [beganS, endedS]: readonly [number, number], times = 1): SentRecord {
  const most = told === 'not written' ? 0 : times;
  return {
    invoice: '1',
    notes,
    amount: notes.length,
    told,
    times: most,
    beganMs: beganS * 1000,
    endedMs: endedS * 1000,
  };
}

/** The invoice with this history, all of it right. */
function storedAs(...notes: string[]): StoredInvoice {
  const history = notes.map((text, index) => ({ revision: index + 1, notes: text, amount: text.length }));
  return { invoice: '1', version: 1 + notes.length, current: history.at(-1) ?? null, history };
}

const first = sentAs('first', 'written', [0, 1]);

describe('the proof finds nothing wrong', () => {
  it.each([
    { what: 'with what was told as it is', sent: [first], stored: storedAs('first') },
    { what: 'with an unknown outcome that was written', sent: [sentAs('a', 'unknown', [0, 1])], stored: storedAs('a') },
    { what: 'with an unknown outcome that was not', sent: [sentAs('a', 'unknown', [0, 1])], stored: storedAs() },
    {
      what: 'with two at the same time',
      sent: [first, sentAs('b', 'unknown', [0.5, 2])],
      stored: storedAs('b', 'first'),
    },
    {
      what: 'with one that was repeated, and written again after another one',
      sent: [sentAs('first', 'written', [0, 3], 2), sentAs('b', 'written', [1, 2])],
      stored: storedAs('first', 'b', 'first'),
    },
    {
      what: 'with an unknown invoice',
      sent: [{ ...first, invoice: '2', told: 'not written' as const, times: 0 }],
      stored: storedAs(),
    },
  ])('$what', ({ sent, stored }) => {
    expect(findViolations(sent, [stored])).toEqual([]);
  });
});

describe('the proof finds', () => {
  const right = storedAs('first');
  it.each([
    { what: 'what was lost', sent: [first], stored: storedAs(), sentence: 'stands there 0 times' },
    {
      what: 'what was lost with its invoice',
      sent: [{ ...first, invoice: '2' }],
      stored: storedAs(),
      sentence: '0 times',
    },
    { what: 'what stands twice', sent: [first], stored: storedAs('first', 'first'), sentence: 'stands there 2 times' },
    {
      what: 'what was written again though it stood there',
      sent: [sentAs('first', 'written', [0, 1], 2)],
      stored: storedAs('first', 'first'),
      sentence: 'revision 2 repeats the one before it',
    },
    {
      what: 'what was written although it was refused',
      sent: [sentAs('a', 'not written', [0, 1])],
      stored: storedAs('a'),
      sentence: 'told to be not written',
    },
    {
      what: 'what came over a later one',
      sent: [sentAs('a', 'unknown', [0, 1]), sentAs('b', 'written', [2, 3])],
      stored: storedAs('b', 'a'),
      sentence: '"a" (unknown) came over the later "b"',
    },
    { what: 'what nobody sent', sent: [], stored: storedAs('x'), sentence: 'was not sent like that' },
    {
      what: 'another amount',
      sent: [first],
      stored: { ...right, history: [{ revision: 1, notes: 'first', amount: 7 }] },
      sentence: 'was not sent like that',
    },
    {
      what: 'a gap',
      sent: [first],
      stored: { ...right, history: [{ revision: 2, notes: 'first', amount: 5 }] },
      sentence: 'there is no revision 1',
    },
    {
      what: 'an invoice that shows something else',
      sent: [first],
      stored: { ...right, current: null },
      sentence: 'it shows',
    },
    { what: 'a wrong version', sent: [first], stored: { ...right, version: 3 }, sentence: 'its version is 3' },
  ])('$what', ({ sent, stored, sentence }) => {
    expect(findViolations(sent, [stored]).join('\n')).toContain(sentence);
  });
});
