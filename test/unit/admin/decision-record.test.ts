import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { readRecords } from '../../../lib/admin/import/read-records.ts';
import { DECISION_FORM, readDecision } from '../../../infra/ops/invoices/decision-record.ts';

const row = { supplier_id: '10', invoice_id: '2', revision: '1', decision: 'APR', reason: 'Seen' };
const read = (changed: object, reason: string | null) =>
  readDecision({ line: 1, source: '', value: { ...row, ...changed } }, reason);

it.each([
  ['half a revision', { revision: '1.5' }, 'revision: must be a whole number'],
  ['what is no id', { invoice_id: 'A1' }, 'invoice_id: must be a string of 1 to 20 digits'],
  ['what is no decision', { decision: 'REV' }, 'decision: must be one of APR, REC, AJU, LIQ, PEN'],
  ['no reason', { reason: ' ' }, 'reason: is required, in the row or with --reason'],
  ['a reason that is no text', { reason: { text: 'Seen' } }, 'reason: must be a string', 'Agreed'],
  ['half a character', { reason: '\ud83d' }, 'reason: must be a string'],
  ['a long reason', { reason: 'x'.repeat(501) }, 'reason: must have at most 500 characters'],
])('the row of a decision is at error with %s', (_what, changed, error, reason: string | null = null) => {
  expect(read(changed, reason)).toMatchObject({ row: { supplier_id: '10' }, errors: [error] });
});

it('the row of a decision has the reason for all where it says none, and decides nothing without a decision', () => {
  expect(read({ reason: ' ', decision: ' rec ' }, 'Agreed')).toMatchObject({ state: 'REC', reason: 'Agreed' });
  expect(read({ decision: '' }, 'Agreed')).toBeNull();
});

it('the amounts of a reviewed sheet are read as a spreadsheet writes them, and the other columns as they are', async () => {
  const header = 'supplier_id;invoice_id;revision;decision;system_amount;declared_amount;difference';
  const text = `${header}\n10;2;1;APR;1.050,00;2.000,50;1.050,00\n`;
  for await (const record of readRecords(Readable.from([text]), 'csv', { form: DECISION_FORM })) {
    const amounts = { system_amount: '1050.00', declared_amount: '2000.50', difference: '1.050,00' };
    expect(record).toMatchObject({ value: { ...amounts, decision: 'APR' }, errors: [] });
  }
  expect.hasAssertions();
});
