import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_WORKBOOK_BYTES } from '../../../lib/spreadsheets/read-workbook.ts';
import { texts } from '../../../lib/spreadsheets/spreadsheet-texts.ts';
import { readSheet } from '../../support/data/spreadsheets.ts';
import { type WorkbookCell, workbookOf } from '../../support/data/workbook.ts';

const HEADINGS = ['Factura', 'Importe', 'Fecha', '% IVA', 'city'];
const read = (...rows: readonly (readonly WorkbookCell[])[]) => readSheet(workbookOf({ Hoja1: [HEADINGS, ...rows] }));
const date = (number: string): WorkbookCell => ({ number, format: 'date' });

describe('a workbook', () => {
  it('is read by the types of its cells, and its sheet is named', async () => {
    const file = await read([], ['9001', { number: '1050.5' }, date('46265'), { number: '21' }, 'Año <1> & "2"']);
    expect(file.said).toEqual([
      'Read from the sheet "Hoja1".',
      'id from "Factura", amount from "Importe", date from "Fecha", tax from "% IVA".',
    ]);
    const row = { id: '9001', amount: '1050.5', date: '2026-08-31', tax: '21', city: 'Año <1> & "2"' };
    expect([file.rows, file.faults]).toEqual([[{ line: 3, lastLine: 3, ...row }], []]);
    const two = await readSheet(workbookOf({ Uno: [['id']], Dos: [['id']], Tres: [] }));
    expect(two.said).toEqual(['Read from the sheet "Uno", the first of 3, the others are not read.']);
  });

  it.each<[string, WorkbookCell[], object]>([
    ['digits that Excel shortens', ['1', { number: '1.05E+3' }], { amount: '1050' }],
    ['the noise of a sum', ['1', { number: '0.30000000000000004' }], { amount: '0.3' }],
    ['more digits than Excel keeps', ['1', { number: '123456789012.123456' }], { amount: '123456789012.123456' }],
    ['an amount that is a text', ['1', '1.050,00'], { amount: '1050.00' }],
    ['a date that is a text', ['1', null, '31/08/2026'], { date: '2026-08-31' }],
    ['a date with a time', ['1', null, date('46265.39583333')], { date: '2026-08-31T09:30:00' }],
  ])('has %s read', async (_, cells, values) => {
    const { rows, faults } = await read(cells);
    expect([rows, faults]).toEqual([[expect.objectContaining(values)], []]);
  });

  const fraction: WorkbookCell = { number: '0.21', format: 'percent' };
  it.each<[string, WorkbookCell[], string]>([
    ['an id that has lost digits', [{ number: '1.2345678901234567E+19' }], `id ${texts.otherType.digits.en}`],
    ['an amount that is a date', ['1', date('46265')], `amount ${texts.otherType.date.en}`],
    ['a text that is a date', ['1', null, null, null, date('46265')], `city ${texts.otherType.date.en}`],
    ['a date that is a number', ['1', null, { number: '46265' }], `date ${texts.otherType.number.en}`],
    ['a fraction of a hundred', ['1', null, null, fraction], `tax ${texts.twoNumbers('0.21', '21%', '0.21%').en}`],
    ['an amount that may be two', ['1', '1.050'], `amount ${texts.twoNumbers('1.050', '1050', '1,0500').en}`],
  ])('has %s refused', async (_, cells, fault) => {
    expect((await read(cells)).faults).toEqual([`2 ${fault}`]);
  });

  it('gives every amount of money back exactly, as it is typed', async () => {
    const cents = fc.bigInt({ min: 0n, max: 99_999_999_999_999n }).map((all) => (Number(all) / 100).toString());
    const column = fc.array(cents, { minLength: 1, maxLength: 20 });
    const property = fc.asyncProperty(column, async (amounts) => {
      const { rows } = await read(...amounts.map((number) => ['1', { number }]));
      expect(rows.map(({ amount }) => amount)).toEqual(amounts);
    });
    await fc.assert(property, { numRuns: 50 });
  });

  it('is refused when it is of Excel 97, broken or too large', async () => {
    await expect(readSheet(Buffer.from('d0cf11e0a1b1', 'hex'))).rejects.toThrow(texts.oldWorkbook.en);
    await expect(readSheet(Buffer.from('504b030414000000', 'hex'))).rejects.toThrow(texts.brokenWorkbook.en);
    const large = Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(MAX_WORKBOOK_BYTES)]);
    await expect(readSheet(large)).rejects.toThrow('The workbook has over 32 MiB');
  });
});
