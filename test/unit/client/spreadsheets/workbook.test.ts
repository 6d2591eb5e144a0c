import { expect, it, vi } from 'vitest';
import { MAX_WORKBOOK_BYTES } from '../../../../lib/client/spreadsheets/read-workbook.ts';
import { texts } from '../../../../lib/client/spreadsheets/spreadsheet-texts.ts';
import { readSheet } from '../../../support/data/spreadsheets.ts';
import { type WorkbookCell, buildWorkbook } from '../../../support/data/workbook.ts';

const HEADINGS = ['Factura', 'Importe', 'Fecha', '% IVA', 'city'];
const read = (...rows: readonly (readonly WorkbookCell[])[]) =>
  readSheet(buildWorkbook({ Hoja1: [HEADINGS, ...rows] }));
const createDate = (number: string): WorkbookCell => ({ number, format: 'date' });

it('a workbook is read by the types of its cells, and the name of its sheet is reported', async () => {
  const file = await read([], ['9001', { number: '1050.5' }, createDate('46265'), { number: '21' }, 'Año <1> & "2"']);
  expect(file.format).toEqual([
    'Read from the sheet "Hoja1".',
    'id from "Factura", amount from "Importe", date from "Fecha", tax from "% IVA".',
  ]);
  const row = { id: '9001', amount: '1050.5', date: '2026-08-31', tax: '21', city: 'Año <1> & "2"' };
  expect([file.rows, file.errors]).toEqual([[{ line: 3, ...row }], []]);
});

it.each<[string, WorkbookCell[], object]>([
  ['digits that Excel shortens', ['1', { number: '1.05E+3' }], { amount: '1050' }],
  ['a sum with a binary rounding error', ['1', { number: '0.30000000000000004' }], { amount: '0.3' }],
  ['more digits than Excel stores', ['1', { number: '123456789012.123456' }], { amount: '123456789012.123456' }],
  ['an amount that is a text', ['1', '1.050,00'], { amount: '1050.00' }],
  ['a date that is a text', ['1', null, '31/08/2026'], { date: '2026-08-31' }],
  ['the largest id that Excel stores exactly', [{ number: '9007199254740991' }], { id: '9007199254740991' }],
  ['an id as Google Sheets writes it', [{ number: '9003.0' }], { id: '9003' }],
  ['an id with an exponent', [{ number: '2.0001E7' }], { id: '20001000' }],
  ['an id of 16 digits with an exponent', [{ number: '1.234567890123451E15' }], { id: '1234567890123451' }],
  ['a number with a format in an amount', ['1', { number: '5', format: 'padded' }], { amount: '5' }],
  ['a percentage by its number format', ['1', null, null, { number: '0.21', format: 'percent' }], { tax: '21' }],
  ['a number whose format only shows a %', ['1', null, null, { number: '21', format: 'sign' }], { tax: '21' }],
  ['a percentage in a format of its own', ['1', null, null, { number: '0.105', format: 'decimals' }], { tax: '10.5' }],
  ['a formula with a value', ['1', { xml: '><f>A1</f><v>7</v>' }], { amount: '7' }],
  ['a formula that is an empty text', ['1', { xml: ' t="str"><f>A1</f><v></v>' }], { id: '1' }],
  ['a date with a time', ['1', null, createDate('46265.39583333')], { date: '2026-08-31T09:30:00' }],
])('a cell of a workbook is read: %s', async (_, cells, values) => {
  const { rows, errors } = await read(cells);
  expect([rows, errors]).toEqual([[expect.objectContaining(values)], []]);
});

type Rejected = [title: string, cells: WorkbookCell[], error: string];
const withoutValue = `amount ${texts.formulaWithoutValue.en}`;
it.each<Rejected>([
  ...['1.2345678901234567E+19', '9007199254740992', '9007199254740993.0', '1050.0000000000001'].map(
    (number): Rejected => {
      return [`the id ${number}, of which digits may be lost`, [{ number }], `id ${texts.otherType.digits.en}`];
    },
  ),
  [
    'an id that is shown with other digits',
    [{ number: '100001234', format: 'padded' }],
    `id ${texts.shownOtherwise('100001234', String.raw`0000\-00000000`).en}`,
  ],
  [
    'a text that is shown as a percentage',
    ['1', null, null, null, { number: '0.21', format: 'percent' }],
    `city ${texts.shownOtherwise('0.21', '0%').en}`,
  ],
  ['an error', ['1', { xml: ' t="e"><f>1/0</f><v>#DIV/0!</v>' }], `amount ${texts.errorCell.en}`],
  ['a formula without a value', ['1', { xml: '><f>A1</f><v></v>' }], withoutValue],
  ['a formula without a value element', ['1', { xml: ' t="str"><f>A1</f>' }], withoutValue],
  ['a number with a gigabyte of digits', ['1', { number: '1e999999999' }], `amount ${texts.notANumber.en}`],
  ['a date that does not exist', ['1', null, createDate('1e999999999')], `date ${texts.notADate.en}`],
  ['an amount that is a date', ['1', createDate('46265')], `amount ${texts.otherType.date.en}`],
  ['a text that is a date', ['1', null, null, null, createDate('46265')], `city ${texts.otherType.date.en}`],
  ['a date that is a number', ['1', null, { number: '46265' }], `date ${texts.otherType.number.en}`],
  [
    'a fraction that may be a percentage',
    ['1', null, null, { number: '0.21' }],
    `tax ${texts.ambiguous('21%', '0.21%').en}`,
  ],
])('a cell of a workbook is rejected: %s', async (_, cells, error) => {
  expect((await read(cells)).errors).toEqual([`2 ${error}`]);
});

const row = [['id'], ['1']];
const hiddenSheet = { rows: [['id'], ['2']], state: 'veryHidden' } as const;
const hiddenRow =
  '<sheetData><row><c r="A1" t="str"><v>id</v></c></row><row hidden="1"><c r="A3"><v>1</v></c></row></sheetData>';
it.each<[string, Parameters<typeof buildWorkbook>[0], string]>([
  ['the first sheet', { Uno: row, Dos: [['id']], Tres: [] }, '"Uno", sheet 1 of 3, the others are not read.'],
  ['the sheet with a header', { Uno: [['x']], Dos: row }, '"Dos", sheet 2 of 2, the others are not read.'],
  ['a sheet with titles above the header', { Uno: [['x', 'y'], [], ...row] }, '"Uno", headings in row 3.'],
  ['a sheet with hidden rows', { Uno: { rows: row, hidden: [1, 2] } }, '"Uno", hidden rows: 1.'],
  ['a sheet with a hidden row without a number', { Uno: hiddenRow }, '"Uno", hidden rows: 1.'],
  ['a sheet with hidden columns', { Uno: { rows: row, hiddenColumns: [1, 16384] } }, '"Uno", hidden columns: 1.'],
  ['the first visible sheet', { Uno: hiddenSheet, Dos: row }, '"Dos", sheet 2 of 2, the others are not read.'],
  ['a sheet with XML entities in its name', { 'A &amp; &#233;&#xe9;': row }, '"A & éé".'],
])('a workbook is read from one sheet, which is reported: %s', async (_, sheets, text) => {
  const file = await readSheet(buildWorkbook(sheets));
  expect(file.format[0]).toBe(`Read from the sheet ${text}`);
  expect(file.rows).toEqual([expect.objectContaining({ id: '1' })]);
});

it('a workbook with only hidden sheets is rejected', async () => {
  await expect(readSheet(buildWorkbook({ Uno: hiddenSheet }))).rejects.toThrow(texts.brokenWorkbook.en);
});

it('a workbook is rejected without a complete header, or if several later sheets have a header', async () => {
  const incomplete = buildWorkbook({ Uno: [['Agosto'], ['Importe', 'city'], ['1', 'x']], Dos: [] });
  await expect(readSheet(incomplete)).rejects.toThrow(
    `Sheet "Uno", row 2: ${texts.missingFields('id', '"Importe" → amount, "city" → city').en}`,
  );
  const several = buildWorkbook({ Uno: [], Dos: [['id']], Tres: [['id']] });
  await expect(readSheet(several)).rejects.toThrow(texts.severalSheets('"Dos", "Tres"').en);
});

it('a cell that a merged cell covers is rejected, except in titles and the header', async () => {
  const rows = [['Agosto'], ['id', 'city', null, 'x'], ['1', 'Salta'], ['2', 'x'], ['3', 'Jujuy']];
  const merged = ['A1:B1', 'B3:B4', 'B2:C2'];
  const file = await readSheet(buildWorkbook({ Uno: { rows, merged } }), { map: [[null, 'x']] });
  expect(file.errors).toEqual([`4 city ${texts.mergedCell('B3').en}`]);
  expect(file.rows.map(({ city }) => city)).toEqual(['Salta', '', 'Jujuy']);
});

it('a workbook is read if its first sheet is a chart, or if formulas of other elements follow its cells', async () => {
  const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const parts = {
    'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="rId1" Type="${type}/chartsheet" Target="chartsheets/sheet1.xml"/><Relationship Id="rId2" Type="${type}/worksheet" Target="/xl/worksheets/sheet2.xml"/></Relationships>`,
  };
  const cells = '<row r="1"><c r="A1" t="str"><v>id</v></c></row><row r="2"><c r="A2"><v>1</v></c><c r="B2"></c></row>';
  const list = '<extLst><x14:formula1><xm:f>Dos!A1</xm:f></x14:formula1></extLst>';
  const file = await readSheet(buildWorkbook({ Chart: [], Dos: `<sheetData>${cells}</sheetData>${list}` }, parts));
  expect([file.format[0], file.rows]).toEqual(['Read from the sheet "Dos".', [expect.objectContaining({ id: '1' })]]);
  expect(file.errors).toEqual([]);
});

it.each(['UTC', 'America/Argentina/Buenos_Aires', 'Asia/Tokyo'])(
  'a date is read as the cell shows it in %s',
  async (zone) => {
    vi.stubEnv('TZ', zone);
    const { rows } = await read(['1', null, createDate('46265.97916667')]);
    expect(rows).toMatchObject([{ date: '2026-08-31T23:30:00' }]);
    vi.unstubAllEnvs();
  },
);

it.each([
  ['date1904="true"', '2030-09-01'],
  ['date1904="1"', '2030-09-01'],
  ['date1904="false"', '2026-08-31'],
])('the dates of a workbook with %s are counted from its epoch', async (epoch, date) => {
  const list = `<workbook><workbookPr ${epoch}/><sheets><sheet name="Uno" sheetId="1" id="rId1"/></sheets></workbook>`;
  const file = buildWorkbook(
    {
      Uno: [
        ['id', 'date'],
        ['1', createDate('46265')],
      ],
    },
    { 'xl/workbook.xml': list },
  );
  expect((await readSheet(file)).rows).toMatchObject([{ date }]);
});

const readSharedText = async (item: string, head = '') => {
  const cells = '<row r="1"><c r="A1" t="str"><v>id</v></c></row><row r="2"><c r="A2" t="s"><v>0</v></c></row>';
  const strings = { 'xl/sharedStrings.xml': `${head}<sst>${item}</sst>` };
  const { rows } = await readSheet(buildWorkbook({ Uno: `<sheetData>${cells}</sheetData>` }, strings));
  return rows[0]?.id;
};

it.each([
  ['formatted pieces', '<si><r><t>A</t></r><r><t xml:space="preserve"> B</t></r></si>', 'A B'],
  ['a phonetic text', '<si><t>A</t><rPh sb="0" eb="1"><t>x</t></rPh></si>', 'A'],
  ['a line end of Windows', '<si><t>A_x000D_\r\nB</t></si>', 'A\r\nB'],
])('a shared text of a workbook is complete if it has %s', async (_, item, text) => {
  expect(await readSharedText(item)).toBe(text);
});

it.each([
  ['a CDATA section', '<si><t><![CDATA[A]]></t></si>'],
  ['a comment', '<si><t>A<!-- x -->B</t></si>'],
  ['a processing instruction', '<si><t>A<?x y?>B</t></si>'],
  ['a character above U+FFFF by its number', '<si><t>A&#128512;</t></si>'],
  ['an entity of its own', '<si><t>&x;</t></si>', '<!DOCTYPE sst [<!ENTITY x "A">]>'],
])('a workbook is rejected if a shared text has %s', async (_, item, head?: string) => {
  await expect(readSharedText(item, head)).rejects.toThrow(texts.brokenWorkbook.en);
});

it('a workbook is rejected if it has another format, is damaged or is too large', async () => {
  await expect(readSheet(Buffer.from('d0cf11e0a1b1', 'hex'))).rejects.toThrow(texts.oldWorkbook.en);
  await expect(readSheet(Buffer.from('504b030414000000', 'hex'))).rejects.toThrow(texts.brokenWorkbook.en);
  const large = Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(MAX_WORKBOOK_BYTES)]);
  await expect(readSheet(large)).rejects.toThrow('The workbook has over 32 MiB, or 96 MiB');
});
