import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { decimal } from '../../../../lib/domain/money.ts';
import { formatCsvLine, unescapeCsvText } from '../../../../lib/client/spreadsheets/write-csv.ts';
import { readSheet } from '../../../support/data/spreadsheets.ts';

// Characters at which a program could split a cell, and characters that could begin a formula.
const characters = [...`'"=+-@＝＋－＠ \t\r\n,;019/eEaé\ufeff`.split(''), '😀'];
const anyText = fc.oneof(
  fc.array(fc.constantFrom(...characters)).map((all) => all.join('')),
  // A replacement character is rejected, because it marks text that another program could not decode.
  fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\ufffd')),
);
const table = fc.array(fc.array(anyText, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 5 });

it('formatCsvLine writes a line with commas and decimal points', () => {
  const cells = ['9001', 'a "b"', 'c, d', 'e; f', null, decimal('-1050.5'), decimal('1e12'), decimal('0.000001')];
  expect(formatCsvLine(cells)).toBe('9001,"a ""b""","c, d",e; f,,-1050.5,1000000000000,0.000001\n');
});

it.each([
  ['a formula', '=1+1', "'=1+1"],
  ['a formula after an apostrophe', "'=1", "''=1"],
  ['a formula after a separator of another locale', 'a;=1,-2\t@x', "a;'=1,'-2\t'@x"],
  ['a tab and a carriage return', '\tx;"\rx', `'\tx;'"\rx`],
  ['a minus sign within a text', 'a-1, b=2', 'a-1, b=2'],
  ['a day and a time', '2026-08-24T09:30:00-03:00', '2026-08-24T09:30:00-03:00'],
  ['a day', '2026-08-24', '2026-08-24'],
])('formatCsvLine writes %s so that no spreadsheet program reads a formula', (_, text, cell) => {
  expect(parse(formatCsvLine([text]))).toEqual([[cell]]);
});

it('formatCsvLine writes no formula, even if a program splits the line at other separators or ignores quotes', () => {
  const property = fc.property(table, (rows) => {
    const file = rows.map((cells) => formatCsvLine(['id', ...cells, decimal('-1.5')])).join('');
    const cells = parse(file, { record_delimiter: '\n' });
    const parts = [file, file.replaceAll('"', '')].flatMap((text) =>
      [',', ';', '\t'].flatMap((separator) => text.split(/\r\n|[\r\n]/).flatMap((line) => line.split(separator))),
    );
    // A part can begin at the end of a cell, and then it begins with the separator of the file.
    const isNumber = (part: string) => /^["\s]*-1(?:\.5)?$/.test(part);
    for (const part of [...cells.flat(), ...parts.map((text) => text.replace(/^["\s]*,/, ''))]) {
      if (!isNumber(part)) expect(part).not.toMatch(/^(?:["\s]*[=+\-@＝＋－＠]|"*[\t\r])/u);
    }
  });
  fc.assert(property, { numRuns: 500 });
});

it('unescapeCsvText returns the original of every text that was written and read', async () => {
  const property = fc.asyncProperty(table, async (rows) => {
    // White space at the ends of an id is removed.
    const lines = rows.map(([id = '', city = ''], index) => formatCsvLine([`${index}${id}.`, city]));
    const read = await readSheet(formatCsvLine(['id', 'city']) + lines.join(''));
    expect(read.errors).toEqual([]);
    const values = read.rows.map(({ id, city }) => [unescapeCsvText(id ?? ''), unescapeCsvText(city ?? '')]);
    expect(values).toEqual(rows.map(([id, city], index) => [`${index}${id}.`, city]));
  });
  await fc.assert(property, { numRuns: 500 });
});
