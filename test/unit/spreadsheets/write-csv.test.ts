import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimal } from '../../../lib/domain/money.ts';
import { CSV_DIALECTS, csvLine, unshielded } from '../../../lib/spreadsheets/write-csv.ts';

const { csv, excel } = CSV_DIALECTS;
const line = (text: string, dialect: typeof csv | typeof excel) => csvLine([text], dialect).trimEnd();

describe('a line of a CSV', () => {
  it('is written as programs read it, or as Excel does where decimals have a comma', () => {
    const cells = ['9001', 'a "b"', 'c, d', 'e; f', null, decimal('-1050.5'), decimal('1e12'), decimal('0.000001')];
    expect(csvLine(cells, csv)).toBe('9001,"a ""b""","c, d",e; f,,-1050.5,1000000000000,0.000001\n');
    expect(csvLine(cells, excel)).toBe('9001;"a ""b""";c, d;"e; f";;-1050,5;1000000000000;0,000001\r\n');
  });

  const calculated = ['=1+1', '+54 11', '-1', '@SUM(A1)', ' =1', '＝1', '\tx', "'=1"];
  const numbersOfExcel = ['1795243070161803765', '007', '123456789012', '1-2', '24/8/2026', '1E5'];
  const dates = ['2026-08-24', '2026-08-24T09:30:00-03:00'];
  it.each([
    ['for both before what a spreadsheet would calculate', calculated, "'", "'"],
    ['for Excel before what it would make another number or a date of', numbersOfExcel, '', "'"],
    ['for neither before all else', ['9001', '12345678901', '0', ...dates, '0001-00001234'], '', ''],
  ])('has an apostrophe %s', (_, texts, inCsv, inExcel) => {
    expect(texts.map((text) => line(text, csv))).toEqual(texts.map((text) => `${inCsv}${text}`));
    expect(texts.map((text) => line(text, excel))).toEqual(texts.map((text) => `${inExcel}${text}`));
  });

  it('gives back every text as it was', () => {
    const texts = fc.oneof(
      fc.string(),
      fc.stringMatching(/^'{0,2}[=+\-@0-9/eE" ;,\t]{0,6}$/),
      fc.stringMatching(/^'?\d{0,20}$/),
    );
    const dialects = fc.constantFrom(csv, excel);
    fc.assert(
      fc.property(fc.array(texts, { minLength: 1 }), dialects, (cells, dialect) => {
        const { separator: delimiter, lineEnd } = dialect;
        const [read = []] = parse(csvLine(cells, dialect), { delimiter, record_delimiter: lineEnd });
        expect(read.map(unshielded)).toEqual(cells);
      }),
    );
  });
});
