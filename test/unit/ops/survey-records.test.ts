import { expect, it } from 'vitest';
import type { SourceRecord } from '../../../infra/ops/import/read-records.ts';
import { surveyRecords } from '../../../infra/ops/import/survey-records.ts';
import { InputError } from '../../../infra/ops/operator-errors.ts';

/** Surveys records with these values from line 2 on. Returns the survey, and its verdict on each record. */
async function survey(values: readonly object[], allowZeros = false) {
  const records = values.map((value, index): SourceRecord => {
    return { line: index + 2, source: '', value: { supplier_id: '10', system_amount: '100', ...value } };
  });
  const result = await surveyRecords(streamRecords(records), allowZeros);
  const isRepeated = (line: number) => result.repeatedLines.has(line);
  const verdicts = records.map(({ line }) => result.errors.get(line) ?? (isRepeated(line) ? 'repeated' : null));
  return { result, verdicts };
}

async function* streamRecords(records: readonly SourceRecord[], failure?: Error): AsyncGenerator<SourceRecord> {
  yield* records;
  if (failure) throw failure;
}

const createContentsError = (lines: string) =>
  `invoice_id: the file contains this invoice with different values in lines ${lines}`;
const bothRejected = [createContentsError('2, 3'), createContentsError('2, 3')];
const zerosError =
  'invoice_id: the ids in lines 2, 3, 4, 5 differ only in leading zeros: 0080101, 80101, 080101; ' +
  'to accept all of them, pass --allow-zeros';
const one = { invoice_id: '1' };
const two = { invoice_id: '2' };
const changed = { invoice_id: '1', city: 'Salta' };
const padded = ['0080101', '80101', '0080101', '080101'].map((id) => ({ invoice_id: id }));

it.each<[what: string, values: readonly object[], verdicts: readonly unknown[], allowZeros?: boolean]>([
  [
    'of different suppliers are independent',
    [one, { invoice_id: '01', supplier_id: '11' }, { ...one, supplier_id: '12' }],
    [null, null, null],
  ],
  ['with equal contents are imported once', [one, two, one, one], [null, null, 'repeated', 'repeated']],
  [
    'of one invoice are all rejected if some differ, also the equal ones',
    [one, one, two, changed],
    [createContentsError('2, 3, 5'), createContentsError('2, 3, 5'), null, createContentsError('2, 3, 5')],
  ],
  ['differ if one clears a field that the other omits', [one, { ...one, city: null }], bothRejected],
  [
    'whose ids differ only in leading zeros are all rejected with these ids and their lines',
    padded,
    [zerosError, zerosError, zerosError, zerosError],
  ],
  [
    'whose ids differ only in leading zeros are independent with allowZeros',
    padded,
    [null, null, 'repeated', null],
    true,
  ],
  [
    'are compared by their values, with amounts as numbers and without computed fields',
    [
      { ...changed, system_amount: '100.50', state_name: 'x', concepts: [{ total: '1.0', tax_pct: '0' }] },
      { concepts: [{ tax_pct: '0', total: '1' }], ...changed, system_amount: '100.5' },
    ],
    [null, 'repeated'],
  ],
  ['are compared with their concepts', ['1', '2'].map((total) => ({ ...one, concepts: [{ total }] })), bothRejected],
])('records of one file %s', async (_, values, verdicts, allowZeros) => {
  expect((await survey(values, allowZeros)).verdicts).toEqual(verdicts);
});

it('the error of records with different values lists up to ten lines', async () => {
  const { verdicts } = await survey(Array.from({ length: 12 }, (_, index) => ({ ...one, city: `${index}` })));
  expect(verdicts[0]).toEqual(createContentsError('2, 3, 4, 5, 6, 7, 8, 9, 10, 11, …'));
});

it('a survey counts all records, adds up the valid amounts exactly, and fails if the file cannot be read to its end', async () => {
  const amounts = ['0.1', '0.2', '123456789012.000001', 'x', '-1', null];
  const { result } = await survey(amounts.map((amount, index) => ({ invoice_id: `${index}`, system_amount: amount })));
  expect([result.records, result.total.toFixed()]).toEqual([6, '123456789012.300001']);

  const records = [
    { line: 2, source: '', errors: ['record: is not valid JSON'] },
    { line: 3, source: '', value: { system_amount: '1.050' }, errors: ['system_amount: may be 1050 or 1.05'] },
    { line: 4, source: '', value: { system_amount: '7' } },
  ];
  const { records: count, total } = await surveyRecords(streamRecords(records));
  expect([count, total.toFixed()]).toEqual([3, '7']);
  const failed = surveyRecords(streamRecords(records, new InputError('Line 5 is no CSV.')));
  await expect(failed).rejects.toThrow('Line 5 is no CSV. Nothing was imported.');
});
