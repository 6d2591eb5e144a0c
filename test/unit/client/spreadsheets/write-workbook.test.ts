import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { decimal } from '../../../../lib/domain/money.ts';
import type { CsvCell } from '../../../../lib/client/spreadsheets/write-csv.ts';
import { writeWorkbook } from '../../../../lib/client/spreadsheets/write-workbook.ts';
import { readFirstSheet } from '../../../support/data/read-workbook.ts';

const KINDS = ['text', 'amount', 'percentage', 'date'] as const;
const columns = Object.fromEntries(KINDS.map((kind) => [kind, { kind }]));

async function writeAndRead(rows: readonly (readonly CsvCell[])[]) {
  const { name, rows: read } = await readFirstSheet(await writeWorkbook('Invoices', columns, rows));
  return { sheet: name, header: read[0], cells: read.slice(1) };
}

const buildNumber = (digits: string) => ({ number: digits });
const buildDate = (text: string) => ({ date: text });

it('writeWorkbook writes texts, numbers and dates as cells of their type', async () => {
  const rows = [
    ['0080101', decimal('1050.5'), decimal('21'), '2026-08-31'],
    ['12345678901234567890', decimal('-0.000001'), null, '2026-08-31T00:00:00-03:00'],
    ['=1+1', decimal('123456789012345'), null, '2026-08-31T22:30:15.250Z'],
    ['2026-08-31', null, null, '2026-08-31T10:00:00,5Z'],
  ];
  expect(await writeAndRead(rows)).toEqual({
    sheet: 'Invoices',
    header: [...KINDS],
    cells: [
      ['0080101', buildNumber('1050.5'), buildNumber('21'), buildDate('2026-08-31')],
      ['12345678901234567890', buildNumber('-0.000001'), '', buildDate('2026-08-31')],
      ['=1+1', buildNumber('123456789012345'), '', buildDate('2026-08-31T22:30:15')],
      ['2026-08-31', '', '', buildDate('2026-08-31T10:00:01')],
    ],
  });
});

it.each([
  ['an amount of over 15 digits', [decimal('9007199254740993'), null], ['9007199254740993', '']],
  ['a date before the first date of spreadsheet programs', [null, '1900-02-28'], ['', '1900-02-28']],
  ['a text that is not a date', [null, '31/08/2026'], ['', '31/08/2026']],
  ['a day that does not exist', [null, '2026-02-30'], ['', '2026-02-30']],
])('writeWorkbook writes %s unchanged as text', async (_, [amount = null, day = null], [text, dayText]) => {
  const { cells } = await writeAndRead([['1', amount, null, day]]);
  expect(cells).toEqual([['1', text, '', dayText]]);
});

it('writeWorkbook writes every text so that it is read unchanged', async () => {
  const names = ['constructor', '__proto__', 'toString', '_x0041_', '_x005F_', '_xD83D_'];
  const unit = fc.oneof(
    fc.constantFrom(...`<>&'"=_x \t\n\r\0\u0007\u0085\ufffd\ufffe`.split('')),
    fc.nat(0xffff).map(toUnit),
  );
  const text = fc.oneof(
    fc.constantFrom(...names),
    fc.array(unit, { maxLength: 12 }).map((all) => all.join('')),
  );
  const property = fc.asyncProperty(fc.array(text, { maxLength: 20 }), async (texts) => {
    const { cells } = await writeAndRead([...names, ...texts].map((each) => [each, decimal(1)]));
    expect(cells.map(([first]) => first)).toEqual([...names, ...texts]);
  });
  await fc.assert(property, { numRuns: 50 });
});

const toUnit = (code: number) => String.fromCharCode(code);
