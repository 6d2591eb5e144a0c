import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { decimal } from '../../../../lib/domain/money.ts';
import { CSV_DIALECTS, formatCsvLine, unescapeCsvText } from '../../../../lib/client/spreadsheets/write-csv.ts';
import type { CsvDialect } from '../../../../lib/client/spreadsheets/write-csv.ts';
import { readSheet } from '../../../support/data/spreadsheets.ts';

const { csv, excel } = CSV_DIALECTS;
const tabs: CsvDialect = { ...csv, separator: '\t' };
const dialects = fc.constantFrom<CsvDialect>(csv, excel, tabs);

// Characters at which a program could split a cell, and characters that could begin a formula.
const characters = [...`'"=+-@＝＋－＠ \t\r\n,;019/eEaé\ufeff`.split(''), '😀'];
const anyText = fc.oneof(
  fc.array(fc.constantFrom(...characters)).map((all) => all.join('')),
  // A replacement character is rejected, because it marks text that another program could not decode.
  fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\ufffd')),
  fc.stringMatching(/^'{0,2}\d{0,20}$/),
  fc.stringMatching(/^'{0,2}\d{1,4}[-/]\d{1,4}([-/]\d{1,4})?$/),
);
const table = fc.array(fc.array(anyText, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 5 });

it('formatCsvLine writes a line for programs, or for Excel in countries with a decimal comma', () => {
  const cells = ['9001', 'a "b"', 'c, d', 'e; f', null, decimal('-1050.5'), decimal('1e12'), decimal('0.000001')];
  expect(formatCsvLine(cells, csv)).toBe('9001,"a ""b""","c, d",e; f,,-1050.5,1000000000000,0.000001\n');
  expect(formatCsvLine(cells, excel)).toBe('9001;"a ""b""";c, d;"e; f";;-1050,5;1000000000000;0,000001\r\n');
});

it.each<[string, string, string, string?]>([
  ['a formula', '=1+1', "'=1+1"],
  ['a formula after an apostrophe', "'=1", "''=1"],
  ['a formula after a separator of another locale', 'a;=1,-2\t@x', "a;'=1,'-2\t'@x"],
  ['a tab and a carriage return', '\tx;"\rx', `'\tx;'"\rx`],
  ['a minus sign within a text', 'a-1, b=2', 'a-1, b=2'],
  ['a day and a time', '2026-08-24T09:30:00-03:00', '2026-08-24T09:30:00-03:00'],
  ['a day', '2026-08-24', '2026-08-24'],
  ['an id of at most 11 digits', '12345678901', '12345678901'],
  ['the number of an invoice', '0001-00001234', '0001-00001234'],
  ['an id of 19 digits', '1795243070161803765', '1795243070161803765', "'1795243070161803765"],
  ['an id with a leading zero', '007', '007', "'007"],
  ['a text that could be a date', '1-2', '1-2', "'1-2"],
  ['a text that could be a day', '24/8/2026', '24/8/2026', "'24/8/2026"],
  ['a text that could be a power of ten', '1E5', '1E5', "'1E5"],
])('formatCsvLine writes %s so that no spreadsheet program changes it', (_, text, inCsv, inExcel = inCsv) => {
  const cell = (dialect: CsvDialect) => parse(formatCsvLine([text], dialect), { delimiter: dialect.separator })[0]?.[0];
  expect([cell(csv), cell(excel)]).toEqual([inCsv, inExcel]);
});

it('formatCsvLine writes no formula, even if a program splits the line at other separators or ignores quotes', () => {
  const property = fc.property(table, dialects, (rows, dialect) => {
    const file = rows.map((cells) => formatCsvLine(['id', ...cells, decimal('-1.5')], dialect)).join('');
    const cells = parse(file, { delimiter: dialect.separator, record_delimiter: dialect.lineEnd });
    const parts = [file, file.replaceAll('"', '')].flatMap((text) =>
      [',', ';', '\t'].flatMap((separator) => text.split(/\r\n|[\r\n]/).flatMap((line) => line.split(separator))),
    );
    // A part can begin at the end of a cell, and then it begins with the separator of the file.
    const cellEnd = new RegExp(`^["\\s]*${dialect.separator}`);
    const isNumber = (part: string) => /^["\s]*-1(?:[.,]5)?$/.test(part);
    for (const part of [...cells.flat(), ...parts.map((text) => text.replace(cellEnd, ''))]) {
      if (!isNumber(part)) expect(part).not.toMatch(/^(?:["\s]*[=+\-@＝＋－＠]|"*[\t\r])/u);
    }
  });
  fc.assert(property, { numRuns: 500 });
});

it('unescapeCsvText returns the original of every text that was written and read', async () => {
  const property = fc.asyncProperty(table, dialects, async (rows, dialect) => {
    // White space at the ends of an id is removed.
    const lines = rows.map(([id = '', city = ''], index) => formatCsvLine([`${index}${id}.`, city], dialect));
    const read = await readSheet(dialect.bom + formatCsvLine(['id', 'city'], dialect) + lines.join(''));
    expect(read.errors).toEqual([]);
    const values = read.rows.map(({ id, city }) => [unescapeCsvText(id ?? ''), unescapeCsvText(city ?? '')]);
    expect(values).toEqual(rows.map(([id, city], index) => [`${index}${id}.`, city]));
  });
  await fc.assert(property, { numRuns: 500 });
});
