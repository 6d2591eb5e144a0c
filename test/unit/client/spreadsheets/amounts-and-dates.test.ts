import { describe, expect, it } from 'vitest';
import { texts } from '../../../../lib/client/spreadsheets/spreadsheet-texts.ts';
import { readColumn, type ReadOptions } from '../../../support/data/spreadsheets.ts';

const ambiguous = (text: string, whole: string, decimal = `${text.replace('.', ',')}0`) =>
  texts.ambiguous(whole, decimal).en;

const long = '123456789012.123456';
const notAmounts = ['1,050.00', '1 050', '-', 'U$S 5', ',', '1.', '.5', '+1', '٣', 'x'];
const withoutComma = ['1050.00', '1,050.00', '1.05', '10.50,00', '1.050,', ',5', '1 050,00', '$ 5.5', 'x', '1e3'];

describe('amounts of a column', () => {
  it.each<[what: string, cells: string[], values: string[], separator?: string, options?: ReadOptions]>([
    ['of a spreadsheet in Spanish', ['1.050,00', '640,50', '12.345.678,90'], ['1050.00', '640.50', '12345678.90']],
    ['with several points', ['1.050.000', '12'], ['1050000', '12']],
    ['with a currency', ['$ 1.050,00', '$640,50'], ['1050.00', '640.50']],
    ['with three decimals', ['1.050,500', '-1.050,00'], ['1050.500', '-1050.00']],
    ['without thousands, with , or .', ['1050,01', '3.5', '0,500', '0.500'], ['1050.01', '3.5', '0.500', '0.500']],
    ['of any length', ['1.0500', long], ['1.0500', long]],
    ['with --decimal comma', ['$ 1.050,00', '1.050', '640,5'], ['1050.00', '1050', '640.5'], ',', { decimal: 'comma' }],
    ['with --decimal point', ['1.050', '1e3', '$1050.00'], ['1.050', '1e3', '1050.00'], ';', { decimal: 'point' }],
  ])('a column of amounts is read exactly: %s', async (_, cells, values, separator, options) => {
    expect(await readColumn('amount', cells, separator, options)).toEqual(values);
  });

  it.each<[what: string, cells: string[], values: string[], separator?: string, options?: ReadOptions]>([
    ['one point', ['1.050', '640,5'], [ambiguous('1.050', '1050'), '640.5']],
    ['a comma with three decimals', ['1.050,00', '1,050'], ['1050.00', ambiguous('1,050', '1050')]],
    ['leading zeros', ['01.050', '0001,050'], [ambiguous('01.050', '01050'), ambiguous('0001,050', '0001050')]],
    ['an exponent', ['1,05E+12', '1.05e3'], [texts.exponent.en, texts.exponent.en]],
    [
      'a decimal comma in a file separated by commas',
      ['1.050,00', '640,50', '3.5', '1.050'],
      [texts.noComma.en, texts.noComma.en, '3.5', ambiguous('1.050', '1050', '1.0500')],
      ',',
    ],
    ['no decimal comma', withoutComma, withoutComma.map(() => texts.commaWanted.en), ';', { decimal: 'comma' }],
    ['no decimal point', ['7,5'], [texts.pointWanted.en], ';', { decimal: 'point' }],
  ])('an amount is rejected if it has %s', async (_, cells, values, separator, options) => {
    expect(await readColumn('amount', cells, separator, options)).toEqual(values);
  });

  it('a text that is not an amount is read unchanged', async () => {
    for (const cell of notAmounts) expect(await readColumn('amount', [cell])).toEqual([cell]);
  });
});

it('a percentage can end with a percent sign', async () => {
  const cells = ['21%', '10,50 %', '21', '21%%', '10.500'];
  expect(await readColumn('tax', cells)).toEqual(['21', '10.50', '21', '21%', ambiguous('10.500', '10500')]);
});

describe('dates of a column', () => {
  it.each([
    ['1/9/2026', '2026-09-01'],
    [' 24.08.2026 ', '2026-08-24'],
    ['24/08/2026 09:30:15', '2026-08-24T09:30:15'],
    ['2026-09-02', '2026-09-02'],
    ['2026-08-24 00:00:00', '2026-08-24'],
    ['2026-08-24 09:30', '2026-08-24T09:30'],
    ['2026-08-24T00:00:00', '2026-08-24T00:00:00'],
    ['2026/08/24', '2026-08-24'],
    ['2026.08.24 09:30:15', '2026-08-24T09:30:15'],
    ['20260824', '2026-08-24'],
  ])('the day is first if the column has a day over 12 or with the option: %s is %s', async (cell, value) => {
    expect(await readColumn('date', ['31/08/2026', cell], ',')).toEqual(['2026-08-31', value]);
    expect(await readColumn('date', [cell], ';', { isDayFirst: true })).toEqual([value]);
  });

  it('an ambiguous date is rejected, and a text that is not a date is read unchanged', async () => {
    const error = texts.ambiguous('2026-09-01', '2026-01-09').en;
    expect(await readColumn('date', ['1/9/2026', '9/9/2026'])).toEqual([error, '2026-09-09']);
    const mixed = ['31/08/2026', '12/31/2026', '1/9/2026'];
    expect(await readColumn('date', mixed)).toEqual(['2026-08-31', '12/31/2026', error]);
    const others = ['31/08/26', '24/08-2026', 'x', '20263108', '2026/08-31', '202608311'];
    expect(await readColumn('date', [...others, '31/08/2026'])).toEqual([...others, '2026-08-31']);
  });
});
