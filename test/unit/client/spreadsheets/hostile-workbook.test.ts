import { expect, it } from 'vitest';
import { scanSheet } from '../../../../lib/client/spreadsheets/scan-sheet.ts';
import { texts } from '../../../../lib/client/spreadsheets/spreadsheet-texts.ts';
import { MAX_UNPACKED_BYTES } from '../../../../lib/client/spreadsheets/read-workbook.ts';
import { readColumn, readSheet } from '../../../support/data/spreadsheets.ts';
import { buildWorkbook } from '../../../support/data/workbook.ts';

const headings = '<row r="1"><c r="A1" t="str"><v>id</v></c></row>';
const withRows = (rows: string, rest = '') =>
  buildWorkbook({ Uno: `<sheetData>${headings}${rows}</sheetData>${rest}` });
const withCell = (cell: string) => withRows(`<row r="2">${cell}</row>`);

it.each([
  ['in the last column and line', '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>', 'XFD1048576'],
  ['with a formula', '<row r="900000"><c r="XFD900000"><f>A1</f></c></row>', 'XFD900000'],
  ['with a text', '<row><c r="Z1000000" t="inlineStr"><is><t>x</t></is></c></row>', 'Z1000000'],
])('a workbook with a far cell is rejected before its cells are read: %s', async (_, rows, cell) => {
  await expect(readSheet(withRows(rows))).rejects.toThrow(texts.tooManyCells('Uno', cell, 5_000_000).en);
});

const TYPE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet';
const relation = `<Relationship Id='rId1' Type='${TYPE}' Target='worksheets/sheet2.xml'/>`;
const otherSheet = `<Relationships>${relation}</Relationships>`;

it('the check of a workbook covers the sheet that the library reads', async () => {
  const farCell = '<sheetData><row r="900000"><c r="XFD900000"><v>1</v></c></row></sheetData>';
  const file = buildWorkbook({ Uno: [['id']], Dos: farCell }, { 'xl/_rels/workbook.xml.rels': otherSheet });
  await expect(readSheet(file)).rejects.toThrow(texts.tooManyCells('Uno', 'XFD900000', 5_000_000).en);
});

const manySheets = `<workbook><sheets>${'<sheet name="x"/>'.repeat(70_000)}</sheets></workbook>`;
const lines = Array.from({ length: 1000 }, (_, index) => index + 2);
const buildRow = (line: number) => `<row r="${line}"><c r="A${line}"><v>1</v></c></row>`;
const overlappingCells = `<mergeCells>${'<mergeCell ref="A2:A1048576"/>'.repeat(10)}</mergeCells>`;

it.each([
  ['a line that cannot exist', withRows('<row r="9999999"><c r="XFD1000000"><f>A1</f></c></row>')],
  ['a line with too many digits', withRows('<row r="99999999999"/>')],
  ['a line with an exponent', withRows('<row r="1e7"/>')],
  ['a cell reference in single quotes', withCell(`<c r='XFD1048576'><v>1</v></c>`)],
  ['a cell reference with a namespace prefix', withCell('<c r="A2" x:r="XFD1048576"><v>1</v></c>')],
  ['a cell reference after a bracket in quotes', withCell(`<c r="A2" b="'" a='>' x:r="XFD1048576"><v>1</v></c>`)],
  ['a cell reference with an XML entity', withCell('<c r="XFD104857&#54;"><v>1</v></c>')],
  ['a column that does not exist', withCell('<c r="XFE2"><v>1</v></c>')],
  ['a cell without a reference', withCell('<c><v>1</v></c>')],
  ['a date of ISO 8601', withCell('<c r="A2" t="d"><v>2026-08-31</v></c>')],
  ['a comment in a number', withCell('<c r="A2"><v>10<!-- x -->50</v></c>')],
  ['too many hidden columns', withRows('<col min="1" max="16384" hidden="1"/>'.repeat(16_385))],
  ['too many sheets', buildWorkbook({ Uno: [['id']] }, { 'xl/workbook.xml': manySheets })],
  ['merged cells that overlap many times', withRows(lines.map(buildRow).join(''), overlappingCells)],
])('a workbook is rejected if it has %s', async (_, file) => {
  await expect(readSheet(file)).rejects.toThrow(texts.brokenWorkbook.en);
});

it.each([
  ['a text of a megabyte', `<x>${' '.repeat(600_000)}</x>`],
  ['a tag that is not closed', '<x y="<x>'],
  ['a comment that is not closed', '<!-- x>'],
  ['a CDATA section', '<![CDATA[x]]>'],
  ['a processing instruction that is not closed', '<?x>'],
])('a sheet is rejected if its XML has %s, for which the library could need minutes', (_, xml) => {
  expect(() => scanSheet(`<sheetData>${xml}</sheetData>`, 'Uno', new Map())).toThrow('not as spreadsheets write it');
});

it('a workbook is rejected by the sizes that its archive declares, before it is unpacked', async () => {
  const part = { text: 'x', declaredSize: MAX_UNPACKED_BYTES };
  const large = buildWorkbook({ Uno: [['id']] }, { 'xl/sharedStrings.xml': part });
  await expect(readSheet(large)).rejects.toThrow('or 96 MiB when it is unpacked: save it as "CSV UTF-8".');
  const ignored = buildWorkbook({ Uno: [['id']] }, { 'xl/media/image.png': part, 'xl/pivotCache/records1.xml': part });
  expect((await readSheet(ignored)).errors).toEqual([]);
});

it('a workbook is not unpacked beyond the sizes that its archive declares', async () => {
  const part = { text: `<sst>${' '.repeat(1_000_000)}</sst>`, declaredSize: 10 };
  const file = buildWorkbook({ Uno: [['id']] }, { 'xl/sharedStrings.xml': part });
  await expect(readSheet(file)).rejects.toThrow(texts.brokenWorkbook.en);
});

it('a percentage with 200,000 blanks is read, and a long text is not an amount', async () => {
  const blanks = ' '.repeat(200_000);
  const [percent, text, decimals] = await readColumn('tax', [`21${blanks}%`, `21${blanks}x`, `2,5${blanks}%`]);
  expect([percent?.length, text?.length, decimals?.length]).toEqual([2, 200_003, 3]);
  const long = '1.'.repeat(100_000);
  expect(await readColumn('amount', ['1.050,00', long])).toEqual(['1050.00', long]);
});
