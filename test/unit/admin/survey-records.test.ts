import { describe, expect, it } from 'vitest';
import { InputError, type SourceRecord } from '../../../lib/admin/import/source-record.ts';
import { type SurveyOptions, surveyRecords } from '../../../lib/admin/import/survey-records.ts';

const base = { supplier_id: '10', service_id: '5', system_amount: '100' };

/** Surveys records of these values, which are on the lines from 2 on; gives what follows for each of them. */
async function survey(values: readonly object[], options: SurveyOptions = {}) {
  async function* records(): AsyncGenerator<SourceRecord> {
    for (const [index, value] of values.entries())
      yield { line: index + 2, source: '', value: { ...value, ...base, ...value } };
  }
  const found = await surveyRecords(records(), options);
  const { records: count, total } = found;
  return { records: count, total, verdicts: values.map((_, index) => found.checkRepetition(index + 2)) };
}

const different = (lines: string) => ({
  error: `invoice_id: the file contains this invoice with different values in lines ${lines}`,
});
const zeros = (named: string) => ({
  error: `invoice_id: differs only in leading zeros from ${named}; to accept all ids, pass --allow-zeros`,
});

describe('records of one file', () => {
  it.each<[what: string, values: readonly object[], verdicts: readonly unknown[], options?: SurveyOptions]>([
    ['of different invoices are independent', [{ invoice_id: '1' }, { invoice_id: '2' }], [null, null]],
    [
      'of different suppliers are independent',
      [{ invoice_id: '1' }, { invoice_id: '01', supplier_id: '11' }, { invoice_id: '1', supplier_id: '12' }],
      [null, null, null],
    ],
    [
      'with equal contents are imported once',
      [{ invoice_id: '1' }, { invoice_id: '2' }, { invoice_id: '1' }, { invoice_id: '1' }],
      [null, null, 'repeated', 'repeated'],
    ],
    [
      'with different contents are all rejected, the equal ones too',
      [{ invoice_id: '1' }, { invoice_id: '1' }, { invoice_id: '2' }, { invoice_id: '1', city: 'Salta' }],
      [different('2, 3, 5'), different('2, 3, 5'), null, different('2, 3, 5')],
    ],
    [
      'are different if one clears what the other leaves out',
      [{ invoice_id: '1' }, { invoice_id: '1', city: null }],
      [different('2, 3'), different('2, 3')],
    ],
    [
      'are rejected even if one of them is invalid by itself',
      [{ invoice_id: '1' }, { invoice_id: '1', system_amount: 'x' }],
      [different('2, 3'), different('2, 3')],
    ],
    [
      'whose ids differ only in leading zeros are rejected, with the other ids and their lines',
      [{ invoice_id: '0080101' }, { invoice_id: '80101' }, { invoice_id: '0080101' }, { invoice_id: '080101' }],
      [
        zeros('80101 (line 3) and 080101 (line 5)'),
        zeros('0080101 (lines 2, 4) and 080101 (line 5)'),
        zeros('80101 (line 3) and 080101 (line 5)'),
        zeros('0080101 (lines 2, 4) and 80101 (line 3)'),
      ],
    ],
    [
      'whose ids differ only in leading zeros are independent if that is allowed',
      [{ invoice_id: '0080101' }, { invoice_id: '80101' }, { invoice_id: '0080101' }],
      [null, null, 'repeated'],
      { allowsZeros: true },
    ],
    [
      'of one invoice are imported one after the other if that is allowed, but not with other zeros',
      [
        { invoice_id: '1' },
        { invoice_id: '1', city: 'Salta' },
        { invoice_id: '1' },
        { invoice_id: '02' },
        { invoice_id: '2' },
      ],
      [null, null, null, zeros('2 (line 6)'), zeros('02 (line 5)')],
      { allowsRepeated: true },
    ],
    [
      'whose ids have 20 digits are not confused',
      [{ invoice_id: '12345678901234567890' }, { invoice_id: '12345678901234567891' }],
      [null, null],
    ],
    [
      'before the first line of the import do not stand for later equal ones',
      [{ invoice_id: '1' }, { invoice_id: '1' }, { invoice_id: '1' }],
      ['repeated', null, 'repeated'],
      { fromLine: 3 },
    ],
    [
      'before the first line of the import still contradict later ones',
      [{ invoice_id: '1' }, { invoice_id: '1', city: 'Salta' }],
      [different('2, 3'), different('2, 3')],
      { fromLine: 3 },
    ],
    [
      'are compared as they are read: amounts as numbers, without computed fields',
      [
        { invoice_id: '1', system_amount: '100.50', city: 'Salta', state_name: 'x' },
        { city: 'Salta', system_amount: '100.5', invoice_id: '1' },
      ],
      [null, 'repeated'],
    ],
    [
      'are compared with their concepts, whose numbers count as numbers',
      ['1.0', '1', '2'].map((total) => ({
        invoice_id: total === '2' ? '2' : '1',
        concepts: [{ total, tax_pct: '0' }],
      })),
      [null, 'repeated', null],
    ],
  ])('%s', async (_, values, verdicts, options) => {
    expect((await survey(values, options)).verdicts).toEqual(verdicts);
  });

  it('are named up to ten lines', async () => {
    const values = Array.from({ length: 12 }, (_, index) => ({ invoice_id: '1', city: `${index}` }));
    expect((await survey(values)).verdicts[0]).toEqual(different('2, 3, 4, 5, 6, 7, 8, 9, 10, 11, …'));
  });

  it('are counted, and their readable amounts are added up exactly', async () => {
    const amounts = ['0.1', '0.2', '123456789012.000001', 'x', '-1', null];
    const found = await survey(amounts.map((amount, index) => ({ invoice_id: `${index}`, system_amount: amount })));
    expect([found.records, found.total.toFixed()]).toEqual([6, '123456789012.300001']);
  });

  it('that could not be read count without an amount, and the survey ends where the file breaks off', async () => {
    async function* records(): AsyncGenerator<SourceRecord> {
      yield { line: 2, source: '', error: 'record: is not valid JSON' };
      yield {
        line: 3,
        source: '',
        value: { ...base, invoice_id: '1' },
        errors: ['system_amount: may be 1050 or 1.05'],
      };
      yield { line: 4, source: '', value: { ...base, invoice_id: '1', system_amount: '7' } };
      throw new InputError(5, 'Line 5 is no CSV.');
    }
    const found = await surveyRecords(records());
    expect([found.records, found.total.toFixed(), found.unreadable?.line]).toEqual([3, '7', 5]);
    expect([2, 3, 4].map((line) => found.checkRepetition(line))).toEqual([null, different('3, 4'), different('3, 4')]);
  });
});
