import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { texts } from '../../../lib/spreadsheets/spreadsheet-texts.ts';
import { readColumn } from '../../support/data/spreadsheets.ts';

const either = (text: string, whole: string, decimal = `${text.replace('.', ',')}0`) =>
  texts.ambiguous(text, whole, decimal).en;
const unlike = (text: string) => texts.otherStyle(text, { text: '1.050,00', line: 2 }).en;

const long = '123456789012.123456';

describe('a column of amounts', () => {
  it.each([
    ['of a spreadsheet in Spanish', ['1.050,00', '640,50', '12.345.678,90'], ['1050.00', '640.50', '12345678.90']],
    ['some of which have no decimals', ['1.050,00', '1.050', '12'], ['1050.00', '1050', '12']],
    ['whose thousands are told by two points', ['1.050.000', '2.300'], ['1050000', '2300']],
    ['some of which leave the points out', ['1.050,00', '1050,5'], ['1050.00', '1050.5']],
    ['with a currency', ['$ 1.050,00', '$640,50'], ['1050.00', '640.50']],
    ['with three decimals', ['1.050,500', '-1.050,00'], ['1050.500', '-1050.00']],
    ['without thousands, with either mark', ['1050,01', '3.5', '0,500', '0.500'], ['1050.01', '3.5', '0.500', '0.500']],
    ['of no certain length', ['1.0500', long], ['1.0500', long]],
  ])('is read exactly: %s', async (_, cells, values) => {
    expect(await readColumn('amount', cells)).toEqual(values);
    expect(await readColumn('amount', cells, '\t')).toEqual(values);
  });

  it.each([
    ['a point alone', ['1.050', '640,5'], [either('1.050', '1050'), '640.5']],
    ['a comma with three decimals', ['1.050,00', '1,050'], ['1050.00', either('1,050', '1050')]],
    ['a point alone beside commas', ['1.050,00', '1050,5', '2.300'], ['1050.00', '1050.5', either('2.300', '2300')]],
    ['zeros before the mark', ['01.050', '0001,050'], [either('01.050', '01050'), either('0001,050', '0001050')]],
    ['a decimal point beside thousands', ['1.050,00', '3.5', '1050.50'], ['1050.00', unlike('3.5'), unlike('1050.50')]],
    ['English thousands', ['1.050,00', '1,050.00', '0.500'], ['1050.00', unlike('1,050.00'), unlike('0.500')]],
    ['an exponent', ['1,05E+12', '1.05e3'], [texts.exponent.en, texts.exponent.en]],
  ])('has what is not certain refused: %s', async (_, cells, values) => {
    expect(await readColumn('amount', cells)).toEqual(values);
  });

  it('leaves as it is what is no amount that it knows', async () => {
    for (const cell of ['1,050.00', '1 050', '-', 'U$S 5', ',', '1.', '.5', '+1', '٣', 'x'])
      expect(await readColumn('amount', [cell])).toEqual([cell]);
  });

  it('has no decimal commas between commas, unless it is told', async () => {
    const noComma = texts.noComma.en;
    const cells = ['1.050,00', '640,50', '3.5', '1.050'];
    const values = [noComma, noComma, '3.5', either('1.050', '1050', '1.0500')];
    expect(await readColumn('amount', cells, ',')).toEqual(values);
    const told = await readColumn('amount', ['1.050,00', '1.050', '640,5'], ',', { decimal: 'comma' });
    expect(told).toEqual(['1050.00', '1050', '640.5']);
  });

  it('told to have decimal commas has all else refused, and told to have points has numbers as JSON has them', async () => {
    const others = ['1050.00', '1,050.00', '1.05', '10.50,00', '1.050,', ',5', '1 050,00', '$ 5', 'x', '1e3'];
    const refused = others.map(() => texts.commaWanted.en);
    expect(await readColumn('amount', others, ';', { decimal: 'comma' })).toEqual(refused);
    const numbers = ['1.050', '1e3', '1050.00'];
    const read = await readColumn('amount', [...numbers, '7,5'], ';', { decimal: 'point' });
    expect(read).toEqual([...numbers, texts.pointWanted.en]);
  });

  it('gives every amount back exactly as it was written in any of these formats, or refuses it', async () => {
    const grouped = (digits: string) => digits.replaceAll(/\B(?=(\d{3})+$)/g, '.');
    const formats = fc.constantFrom(
      (whole: string, decimals: string) => `${whole}.${decimals}`,
      (whole: string, decimals: string) => `${whole},${decimals}`,
      (whole: string, decimals: string) => `${grouped(whole)},${decimals}`,
      (whole: string, decimals: string) => `$ ${grouped(whole)},${decimals}`,
    );
    const amounts = fc.tuple(fc.bigInt({ min: 0n, max: 999_999_999_999n }), fc.stringMatching(/^\d{1,6}$/));
    const columns = fc.array(amounts, { minLength: 1, maxLength: 6 });
    let read = 0;
    const property = fc.asyncProperty(formats, columns, async (format, column) => {
      const written = column.map(([whole, decimals]) => format(String(whole), decimals));
      for (const [index, value] of (await readColumn('amount', written)).entries()) {
        const [whole, decimals] = column[index]!;
        if (value === `${whole}.${decimals}`) read += 1;
        else expect(value).toMatch(/write (?:one of these|all amounts alike)$/);
      }
    });
    await fc.assert(property, { numRuns: 500 });
    expect(read).toBeGreaterThan(500);
  });
});

it('a percentage may have its sign, and says nothing of amounts', async () => {
  const cells = ['21%', '10,50 %', '21', '21%%', '10.500'];
  expect(await readColumn('tax', cells)).toEqual(['21', '10.50', '21', '21%', either('10.500', '10500')]);
});

describe('a column of dates', () => {
  it.each([
    ['31/08/2026', '2026-08-31'],
    ['1/9/2026', '2026-09-01'],
    [' 24.08.2026 ', '2026-08-24'],
    ['24/08/2026 09:30:15', '2026-08-24T09:30:15'],
    ['2026-09-02', '2026-09-02'],
  ])('has its days first where another has a day after the 12th: %s is %s', async (cell, value) => {
    for (const separator of [';', ','])
      expect(await readColumn('date', ['31/08/2026', cell], separator)).toContain(value);
    expect(await readColumn('date', [cell], ';', { dayFirst: true })).toEqual([value]);
  });

  it('has what may be two days refused, also where some have the month first', async () => {
    const fault = texts.ambiguous('1/9/2026', '2026-09-01', '2026-01-09').en;
    expect(await readColumn('date', ['1/9/2026', '9/9/2026'])).toEqual([fault, '2026-09-09']);
    const mixed = ['31/08/2026', '12/31/2026', '1/9/2026'];
    expect(await readColumn('date', mixed)).toEqual(['2026-08-31', '12/31/2026', fault]);
  });

  it('leaves as it is what is no date that it knows', async () => {
    const others = ['31/08/26', '24/08-2026', 'x', '20260831'];
    expect(await readColumn('date', [...others, '31/08/2026'])).toEqual([...others, '2026-08-31']);
  });
});
