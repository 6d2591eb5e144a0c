import { describe, expect, it } from 'vitest';
import { scanSheet } from '../../../lib/spreadsheets/scan-sheet.ts';
import { texts } from '../../../lib/spreadsheets/spreadsheet-texts.ts';
import { MAX_UNPACKED_BYTES, unpackWorkbook } from '../../../lib/spreadsheets/unpack-workbook.ts';
import { readColumn, readSheet } from '../../support/data/spreadsheets.ts';
import { workbookOf } from '../../support/data/workbook.ts';

const headings = '<row r="1"><c r="A1" t="str"><v>id</v></c></row>';
const withRows = (rows: string, rest = '') => workbookOf({ Uno: `<sheetData>${headings}${rows}</sheetData>${rest}` });
const row = (cell: string) => withRows(`<row r="2">${cell}</row>`);
const TOO_LARGE = { code: 'ERR_BUFFER_TOO_LARGE' };

describe('a workbook that would take too much memory or time', () => {
  it.each([
    ['a cell in the last column and line', '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>', 'XFD1048576'],
    ['a formula far away', '<row r="900000"><c r="XFD900000"><f>A1</f></c></row>', 'XFD900000'],
    ['a text far away', '<row><c r="Z1000000" t="inlineStr"><is><t>x</t></is></c></row>', 'Z1000000'],
  ])('is rejected before its cells are read: %s', async (_, rows, cell) => {
    await expect(readSheet(withRows(rows))).rejects.toThrow(texts.tooManyCells('Uno', cell, 5_000_000).en);
  });

  it.each(['<row r="9999999"><c r="XFD1000000"><f>A1</f></c></row>', '<row r="99999999999"/>', '<row r="1e7"/>'])(
    'is rejected if it has a line that cannot exist: %s',
    async (rows) => {
      await expect(readSheet(withRows(rows))).rejects.toThrow(texts.brokenWorkbook.en);
    },
  );

  it.each([
    ['a name in other quotes', `<c r='XFD1048576'><v>1</v></c>`],
    ['a name with a prefix', '<c r="A2" x:r="XFD1048576"><v>1</v></c>'],
    ['a name behind a bracket', `<c r="A2" b="'" a='>' x:r="XFD1048576"><v>1</v></c>`],
    ['a name with an entity', '<c r="XFD104857&#54;"><v>1</v></c>'],
    ['a column that does not exist', '<c r="XFE2"><v>1</v></c>'],
    ['no name', '<c><v>1</v></c>'],
  ])('is rejected if a cell has %s, which the library could read in another way', async (_, cell) => {
    await expect(readSheet(row(cell))).rejects.toThrow(texts.brokenWorkbook.en);
  });

  it.each([
    ['a text of a megabyte', `<x>${' '.repeat(600_000)}</x>`],
    ['a tag that is not closed', '<x y="<x>'],
    ['a comment that is not closed', '<!-- x>'],
    ['a section of characters', '<![CDATA[x]]>'],
    ['an instruction that is not closed', '<?x>'],
  ])('is rejected if its XML has %s, for which the library may need minutes', (_, xml) => {
    expect(() => scanSheet(`<sheetData>${xml}</sheetData>`, 'Uno')).toThrow('not as spreadsheets write it');
  });

  it('is not rejected for a comment', async () => {
    expect((await readSheet(row('<!-- x --><c r="A2" t="str"><v>1</v></c>'))).rows).toMatchObject([{ id: '1' }]);
  });

  it('is rejected by the sizes that its archive declares, before it is unpacked', async () => {
    const part = { text: 'x', declaredSize: MAX_UNPACKED_BYTES };
    const large = workbookOf({ Uno: [['id']] }, { 'xl/sharedStrings.xml': part });
    await expect(readSheet(large)).rejects.toThrow('or 96 MiB when it is unpacked: save it as "CSV UTF-8".');
    const ignored = workbookOf({ Uno: [['id']] }, { 'xl/media/image.png': part, 'xl/pivotCache/records1.xml': part });
    expect((await readSheet(ignored)).faults).toEqual([]);
  });

  it('is rejected if a part is larger or smaller than its archive declares', async () => {
    for (const declaredSize of [0, 5, 7]) {
      const file = workbookOf({ Uno: [['id']] }, { 'xl/sharedStrings.xml': { text: '<sst/>', declaredSize } });
      await expect(readSheet(file)).rejects.toThrow(texts.brokenWorkbook.en);
      // Nothing is unpacked beyond the declared size.
      if (declaredSize < 6) expect(() => unpackWorkbook(file)).toThrow(expect.objectContaining(TOO_LARGE));
    }
  });

  it('is rejected if the library would read another sheet than the one that was checked', async () => {
    const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet';
    const relation = (sheet: number) =>
      `<Relationship Id="rId1" Type="${type}" Target="worksheets/sheet${sheet}.xml"/>`;
    const hidden = relation(2).replaceAll('"', "'");
    const relations = `<Relationships><!-- ${relation(1)} -->${hidden}</Relationships>`;
    const file = workbookOf({ Uno: [['id']], Dos: [['id'], ['1']] }, { 'xl/_rels/workbook.xml.rels': relations });
    await expect(readSheet(file)).rejects.toThrow(texts.brokenWorkbook.en);
  });

  it('is rejected if it has too many sheets', async () => {
    const many = `<workbook><sheets>${'<sheet name="x"/>'.repeat(1001)}</sheets></workbook>`;
    const file = workbookOf({ Uno: [['id']] }, { 'xl/workbook.xml': many });
    await expect(readSheet(file)).rejects.toThrow(texts.brokenWorkbook.en);
  });

  it('is rejected if merged cells overlap many times', async () => {
    const lines = Array.from({ length: 1000 }, (_, index) => index + 2);
    const rows = lines.map((line) => `<row r="${line}"><c r="A${line}"><v>1</v></c></row>`);
    const merged = '<mergeCells>' + '<mergeCell ref="A2:A1048576"/>'.repeat(10) + '</mergeCells>';
    await expect(readSheet(withRows(rows.join(''), merged))).rejects.toThrow(texts.brokenWorkbook.en);
  });

  it('has a percentage read that has 200,000 blanks before its sign, and a long amount shortened in its error', async () => {
    const blanks = ' '.repeat(200_000);
    const [percent, text, decimals] = await readColumn('tax', [`21${blanks}%`, `21${blanks}x`, `2,5${blanks}%`]);
    expect([percent?.length, text?.length, decimals?.length]).toEqual([2, 200_003, 3]);
    const [, error] = await readColumn('amount', ['1.050,00', '1.'.repeat(100_000)]);
    expect(error).toMatch(/^(1\.){20}… is not written like 1\.050,00 /);
  });
});
