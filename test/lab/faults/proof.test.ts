import { expect, it } from 'vitest';
import { findViolations, type SentRecord, type StoredInvoice, type Told } from './proof-checks.ts';
import { proveDeclarations } from './proof.ts';

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

const unknown = sentAs('a', 'unknown', [0, 1]);
const right = storedAs('first');

it.each<[what: string, sent: SentRecord[], stored: StoredInvoice, violation?: string]>([
  ['nothing if the declaration is stored', [first], storedAs('first')],
  ['nothing if a declaration of unknown outcome is stored', [unknown], storedAs('a')],
  ['nothing if a declaration of unknown outcome is not stored', [unknown], storedAs()],
  ['nothing in two parallel declarations', [first, sentAs('b', 'unknown', [0.5, 2])], storedAs('b', 'first')],
  [
    'nothing in a retried declaration that is stored again after another one',
    [sentAs('first', 'written', [0, 3], 2), sentAs('b', 'written', [1, 2])],
    storedAs('first', 'b', 'first'),
  ],
  ['nothing in an unknown invoice', [{ ...first, invoice: '2', told: 'not written', times: 0 }], storedAs()],
  ['a lost declaration', [first], storedAs(), 'stands there 0 times'],
  ['a lost invoice', [{ ...first, invoice: '2' }], storedAs(), '0 times'],
  ['a duplicate', [first], storedAs('first', 'first'), 'stands there 2 times'],
  [
    'a repeated revision',
    [sentAs('first', 'written', [0, 1], 2)],
    storedAs('first', 'first'),
    'revision 2 repeats the one before it',
  ],
  ['a rejected declaration', [sentAs('a', 'not written', [0, 1])], storedAs('a'), 'told to be not written'],
  [
    'a declaration over a later one',
    [unknown, sentAs('b', 'written', [2, 3])],
    storedAs('b', 'a'),
    '"a" (unknown) came over the later "b"',
  ],
  ['a declaration that nobody sent', [], storedAs('x'), 'was not sent like that'],
  [
    'another amount',
    [first],
    { ...right, history: [{ revision: 1, notes: 'first', amount: 7 }] },
    'was not sent like that',
  ],
  ['a gap', [first], { ...right, history: [{ revision: 2, notes: 'first', amount: 5 }] }, 'there is no revision 1'],
  ['an invoice without its last revision', [first], { ...right, current: null }, 'it shows'],
  ['a wrong version', [first], { ...right, version: 3 }, 'its version is 3'],
])('the proof finds %s', (_, sent, stored, violation) => {
  const found = findViolations(sent, [stored]).join('\n');
  if (violation === undefined) expect(found).toBe('');
  else expect(found).toContain(violation);
});

it(
  '300 declarations, while a fifth of all calls fail in every way, stand in the tables as their answers say',
  { tags: 'long' },
  async () => {
    const { violations, sent, repeated, hits, calls, exports } = await proveDeclarations(300, 1);
    expect(violations).toEqual([]);
    expect(sent).toHaveLength(300);
    expect(new Set(sent.map(({ told }) => told))).toEqual(new Set(['written', 'not written', 'unknown']));
    expect(repeated).toBeGreaterThan(0);
    expect(exports).toBeGreaterThan(1);
    // One of each kind, so that no way to fail is left out.
    expect(hits.size).toBe(10);
    const faulty = [...hits.values()].reduce((sum, count) => sum + count, 0);
    expect(faulty / calls).toBeGreaterThan(0.15);
  },
);
