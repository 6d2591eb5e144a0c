import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { OperatorError } from '../../../infra/ops/operator-errors.ts';
import { defineList, MAX_WORKBOOK_ROWS, printList } from '../../../infra/ops/output/write-sheet.ts';
import { isDecided, readReviewSheet } from '../../../infra/ops/review/review-sheet.ts';
import type { Format } from '../../../infra/ops/import/read-records.ts';
import { buildWorkbook } from '../../support/data/workbook.ts';

const { signal } = new AbortController();
const read = (text: string | Buffer, format: Format, reason?: string) =>
  readReviewSheet({ openStream: () => Readable.from([text]), format }, { reason, stopSignal: signal });
const row = { supplier_id: '10', invoice_id: '2', revision: 1, decision: 'APR', reason: 'Seen' };
const readRow = (changed: object, reason?: string) => read(JSON.stringify({ ...row, ...changed }), 'ndjson', reason);

it.each([
  ['a revision that is not a whole number', { revision: '1.5' }, 'revision: must be a whole number'],
  ['a version that is not a whole number', { version: 'x' }, 'version: must be a whole number'],
  ['an id that is not a number', { invoice_id: 'A1' }, 'invoice_id: must be a string of 1 to 20 digits'],
  ['an unknown decision', { decision: 'REV' }, 'decision: must be one of APR, REC, AJU, LIQ, PEN, WITHDRAW, RESTORE'],
  ['no reason', { reason: ' ' }, 'reason: is required, in the row or with --reason'],
  ['a reason that is not a text', { reason: { text: 'Seen' } }, 'reason: must be a string', 'Agreed'],
  ['half a surrogate pair', { reason: '\ud83d' }, 'reason: must be a string'],
  ['a long reason', { reason: 'x'.repeat(501) }, 'reason: must have at most 500 characters'],
])('a row of a review sheet with %s is rejected with the error', async (_what, changed, error, reason?: string) => {
  const { rows } = await readRow(changed, reason);
  expect(rows).toMatchObject([{ line: 1, row: { supplier_id: '10' }, errors: [error] }]);
  expect(rows.filter(isDecided)).toEqual([]);
});

it('a row without a reason has the default reason, and a row without a decision is undecided', async () => {
  const { rows } = await readRow({ reason: ' ', decision: ' rec ' }, 'Agreed');
  expect(rows).toMatchObject([{ row: { decision: 'REC' }, reason: 'Agreed', errors: [] }]);
  expect(await readRow({ decision: '' }, 'Agreed')).toMatchObject({ rows: [], undecided: 1 });
});

it('the amounts of a review sheet are parsed as a spreadsheet writes them, and other columns are unchanged', async () => {
  const header = 'supplier_id;invoice_id;revision;decision;system_amount;declared_amount;difference';
  const { rows } = await read(`${header}\n10;2;1;APR;1.050,00;2.000,50;1.050,00\n`, 'csv', 'Agreed');
  const amounts = { system_amount: '1050.00', declared_amount: '2000.50', difference: '1.050,00' };
  expect(rows).toMatchObject([{ row: { ...amounts, decision: 'APR' }, errors: [] }]);
});

it('a date of a review sheet that may be two dates has one error', async () => {
  const { rows } = await read(
    'supplier_id,invoice_id,revision,paid_on,decision\n10,2,1,03/09/2026,LIQ\n',
    'csv',
    'Paid',
  );
  expect(rows[0]?.errors).toEqual([expect.stringContaining('paid_on: may be 2026-09-03 or 2026-03-09')]);
});

it('all lines of an invoice with several lines are rejected, even if one of them is invalid', async () => {
  const lines = ['APR', 'X'].map((decision) => JSON.stringify({ ...row, decision }));
  const { rows } = await read(lines.join('\n'), 'ndjson');
  const repeated = 'invoice_id: several lines contain the invoice: 1, 2';
  expect(rows.map(({ errors }) => errors)).toEqual([[repeated], [expect.stringContaining('decision: must be one of')]]);
});

it('no decision is read from a workbook whose column of decisions is hidden, while other columns can be hidden', async () => {
  const headings = ['supplier_id', 'invoice_id', 'revision', 'reason', 'decision'];
  const rows = [headings, ['1', '2', '1', 'Seen', 'APR']];
  const readWithHidden = (column: number) =>
    read(buildWorkbook({ Review: { rows, hiddenColumns: [column, column] } }), 'xlsx');
  expect(await readWithHidden(3)).toMatchObject({ rows: [{ errors: [] }] });
  await expect(readWithHidden(5)).rejects.toThrow('The column "decision" is hidden: show it, and check its cells.');
});

it.each([
  ['is truncated', 'supplier_id;invoice_id;revision;decision\n1;"2;1;APR', 'Nothing was decided.'],
  [
    'has no revisions',
    'supplier_id;invoice_id;decision\n1;2;APR',
    'The required columns are supplier_id, invoice_id, rev',
  ],
])('no decision is read from a sheet that %s', async (_what, text, message) => {
  await expect(read(text, 'csv', 'Seen')).rejects.toThrow(message);
});

it('printList rejects a workbook with too many rows with an error that names --out, and writes nothing', async () => {
  const written: (string | Uint8Array)[] = [];
  const output = { write: (data: string | Uint8Array) => written.push(data), canContinue: async () => true };
  const pages = (async function* () {
    for (let rows = 0; rows <= MAX_WORKBOOK_ROWS; rows += 1000) yield Array.from({ length: 1000 }, String);
  })();
  const list = defineList('Ids', { id: { toCell: (id: string) => id } }, () => ({}));
  const setting = { tenant: 't', format: 'xlsx', end: () => ({}) } as const;
  const error = '--out: a workbook has at most 50000 rows. Choose fewer by the other options, or write a .csv.';
  await expect(printList(output as never, pages, list, setting)).rejects.toThrow(new OperatorError(error));
  expect(written).toEqual([]);
});
