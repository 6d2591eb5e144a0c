import { describe, expect, it } from 'vitest';
import { readColumnMap } from '../../../lib/admin/import/column-map.ts';
import type { ReadOptions } from '../../../lib/admin/import/read-records.ts';
import { readCsv, REQUIRED, REQUIRED_FIELDS, valuesOf } from '../../support/data/csv-records.ts';

describe('the amounts of a CSV', () => {
  const amounts = async (text: string, options: ReadOptions = {}, separator = ';') => {
    const header = [...REQUIRED_FIELDS, 'declared_amount'].join(separator);
    const row = ['1', '10', '5', `"${text}"`, `"${text}"`].join(separator);
    const { records } = await readCsv(`${header}\n${row}\n`, options);
    const [record] = records;
    if (!record || !('value' in record)) throw new Error('The record was not read.');
    const { system_amount: amount, declared_amount: declared } = record.value as Record<string, unknown>;
    expect(declared).toBe(amount);
    return { amount, faults: record.faults };
  };

  it.each([
    ['1.050,00', '1050.00'],
    ['1.050', '1050'],
    ['12.345.678,9', '12345678.9'],
    ['1050,5', '1050.5'],
    ['1050', '1050'],
    [' 7,25 ', '7.25'],
    ['-3,5', '-3.5'],
    ['0', '0'],
  ])('with --decimal comma: %s is %s', async (text, amount) => {
    expect(await amounts(text, { decimal: 'comma' })).toEqual({ amount, faults: [] });
  });

  it.each(['1050.00', '1,050.00', '1.05', '10.50,00', '1.050,', ',5', '1 050,00', '$ 5', 'x', '1e3'])(
    'with --decimal comma refuse %s',
    async (text) => {
      const reason = 'must be written with a decimal comma, such as 1.050,00';
      const faults = [`system_amount: ${reason}`, `declared_amount: ${reason}`];
      expect(await amounts(text, { decimal: 'comma' })).toEqual({ amount: text, faults });
    },
  );

  it.each(['1050.00', '1.5', '1e3', '1050', '1.0500'])('without it take %s as it is', async (text) => {
    expect(await amounts(text)).toEqual({ amount: text, faults: [] });
  });

  it('without it refuse a comma, and between semicolons or tabs what may be either', async () => {
    expect((await amounts('1.050,00')).faults?.[0]).toBe(
      'system_amount: has a decimal comma, which --decimal comma reads',
    );
    expect((await amounts('7,5', { decimal: 'point' })).faults).toHaveLength(2);
    const unclear = 'system_amount: has a point before three digits: say --decimal comma or --decimal point';
    for (const separator of [';', '\t']) expect((await amounts('1.050', {}, separator)).faults?.[0]).toBe(unclear);
    expect(await amounts('1.050', { decimal: 'point' })).toEqual({ amount: '1.050', faults: [] });
    expect(await amounts('1.050', {}, ',')).toEqual({ amount: '1.050', faults: [] });
  });
});

describe('the dates of a CSV', () => {
  const dates = async (text: string, options: ReadOptions = {}) => {
    const { records } = await readCsv(`${REQUIRED};invoice_date\n1;10;5;7;${text}\n`, options);
    const [record] = records;
    if (!record || !('value' in record)) throw new Error('The record was not read.');
    return { date: (record.value as { invoice_date: string }).invoice_date, faults: record.faults };
  };

  it.each([
    ['24/08/2026', '2026-08-24'],
    ['4/8/2026', '2026-08-04'],
    ['24-08-2026', '2026-08-24'],
    ['24.08.2026', '2026-08-24'],
    [' 24/08/2026 ', '2026-08-24'],
    ['24/08/2026 09:30', '2026-08-24T09:30'],
    ['24/08/2026 9:30', '2026-08-24T09:30'],
    ['24/08/2026 09:30:15', '2026-08-24T09:30:15'],
    ['2026-08-24', '2026-08-24'],
    ['08/24/2026', '2026-24-08'],
    ['24/08/26', '24/08/26'],
    ['24/08-2026', '24/08-2026'],
  ])('with --day-first: %s is %s', async (text, date) => {
    expect(await dates(text, { dayFirst: true })).toEqual({ date, faults: [] });
  });

  it('without it are refused where the day or the month is first', async () => {
    const faults = ['invoice_date: has no year first: --day-first reads 24/08/2026'];
    expect(await dates('05/08/2026')).toEqual({ date: '05/08/2026', faults });
  });

  it('are all fields of dates, and no others', async () => {
    const fields = ['invoice_date', 'service_call_date', 'provider_invoice_date', 'declared_notes'];
    const row = `${REQUIRED};${fields.join(';')}\n1;10;5;7${';24/08/2026'.repeat(fields.length)}\n`;
    const [value] = valuesOf(await readCsv(row, { dayFirst: true }));
    expect(value).toMatchObject({
      invoice_date: '2026-08-24',
      service_call_date: '2026-08-24',
      provider_invoice_date: '2026-08-24',
      declared_notes: '24/08/2026',
    });
  });
});

describe('the encoding of a CSV', () => {
  const windows: ReadOptions = { encoding: 'windows-1252' };

  it('may be Windows-1252, also in headings', async () => {
    const city = readColumnMap({ city: 'Población' });
    const text = Buffer.from(`${REQUIRED};Poblaci\xf3n\n1;10;5;7;C\xf3rdoba \x80\n`, 'latin1');
    expect(valuesOf(await readCsv(text, { ...windows, map: city }))).toMatchObject([{ city: 'Córdoba €' }]);
  });

  it('is not taken for Windows-1252 where it is UTF-8', async () => {
    const records = Buffer.from(`${REQUIRED};city\n1;10;5;7;Salta\n2;10;5;7;Córdoba\n`);
    expect(valuesOf(await readCsv(records, windows))).toMatchObject([
      { city: 'Salta' },
      'record: is UTF-8, not Windows-1252',
    ]);
    const header = Buffer.from(`${REQUIRED};Población\n`);
    await expect(readCsv(header, windows)).rejects.toThrow('The header is UTF-8, not Windows-1252.');
  });
});
