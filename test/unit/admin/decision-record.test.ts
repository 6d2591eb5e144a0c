import { expect, it } from 'vitest';
import { readDecision } from '../../../lib/admin/review/decision-record.ts';

const row = { supplier_id: '10', invoice_id: '2', revision: '1', decision: 'APR', reason: 'Seen' };
const read = (changed: object, reason: string | null) =>
  readDecision({ line: 1, source: '', value: { ...row, ...changed } }, reason);

it.each([
  ['half a revision', { revision: '1.5' }, 'revision: must be a whole number'],
  ['what is no id', { invoice_id: 'A1' }, 'invoice_id: must be a string of 1 to 20 digits'],
  ['what is no decision', { decision: 'REV' }, 'decision: must be APR, REC, AJU, LIQ, PEN'],
  ['no reason', { reason: ' ' }, 'reason: must be said, in the row or by --reason'],
  ['a reason that is no text', { reason: { text: 'Seen' } }, 'reason: must be a text', 'Agreed'],
  ['half a character', { reason: '\ud83d' }, 'reason: must be a text'],
  ['a long reason', { reason: 'x'.repeat(501) }, 'reason: must have at most 500 characters'],
])('the row of a decision is at fault with %s', (_what, changed, fault, reason: string | null = null) => {
  expect(read(changed, reason)).toMatchObject({ row: { supplier_id: '10' }, faults: [fault] });
});

it('the row of a decision has the reason for all where it says none, and decides nothing without a decision', () => {
  expect(read({ reason: ' ', decision: ' rec ' }, 'Agreed')).toMatchObject({ state: 'REC', reason: 'Agreed' });
  expect(read({ decision: '' }, 'Agreed')).toBeNull();
});
