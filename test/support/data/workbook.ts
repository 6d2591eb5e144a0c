import { strToU8, zipSync, type Zippable } from 'fflate';

/** A cell of a workbook: a text, a number with a format, a boolean, or the XML that follows the cell reference. */
export type WorkbookCell =
  | string
  | null
  | { readonly number: string; readonly format?: keyof typeof FORMATS }
  | { readonly xml: string }
  | boolean;
type Rows = readonly (readonly WorkbookCell[])[];

/** The content of a sheet: its rows, its rows with what is hidden and merged ranges, or its XML. */
type WorkbookSheet =
  | Rows
  | string
  | {
      readonly rows: Rows;
      readonly state?: 'hidden' | 'veryHidden';
      readonly hidden?: readonly number[];
      /** The first and the last column of a hidden range. */
      readonly hiddenColumns?: readonly [min: number, max: number];
      readonly merged?: readonly string[];
    };

/** A compressed file in the archive. The archive declares this size for it, which can be wrong. */
interface CompressedPart {
  readonly text: string;
  readonly declaredSize: number;
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';
const FORMATS = { none: 0, date: 1, percent: 2, sign: 3, decimals: 4, padded: 5 };

const STYLES = `<numFmts><numFmt numFmtId="164" formatCode="0&quot; %&quot;"/><numFmt formatCode="0.0%" numFmtId="165"/><numFmt numFmtId="166" formatCode="0000\\-00000000"/></numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs count="6"><xf/><xf numFmtId="14"/><xf numFmtId="9"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/></cellXfs>`;

/** Builds a workbook (.xlsx) from sheets by name and from additional files of the archive. */
export function buildWorkbook(
  sheets: Readonly<Record<string, WorkbookSheet>>,
  parts: Readonly<Record<string, string | CompressedPart>> = {},
): Buffer {
  const names = Object.keys(sheets);
  const mapSheets = (buildText: (name: string, number: number) => string) =>
    names.map((name, index) => buildText(name, index + 1));
  return buildZip({
    'xl/workbook.xml': `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${mapSheets((name, number) => `<sheet name="${name}" sheetId="${number}"${readState(sheets[name])} r:id="rId${number}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${HEAD}<Relationships xmlns="${PACKAGE}">${mapSheets((_, number) => `<Relationship Id="rId${number}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${number}.xml"/>`).join('')}<Relationship Id="rIdS" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `${HEAD}<styleSheet xmlns="${MAIN}">${STYLES}</styleSheet>`,
    ...Object.fromEntries(
      names.map((name, index) => [`xl/worksheets/sheet${index + 1}.xml`, buildSheetXml(sheets[name] ?? [])]),
    ),
    ...parts,
  });
}

function readState(sheet: WorkbookSheet = []): string {
  return typeof sheet === 'object' && 'state' in sheet ? ` state="${sheet.state}"` : '';
}

function buildSheetXml(sheet: WorkbookSheet): string {
  if (typeof sheet === 'string') return `${HEAD}<worksheet xmlns="${MAIN}">${sheet}</worksheet>`;
  const { rows, hidden = [], hiddenColumns, merged = [] } = 'rows' in sheet ? sheet : { rows: sheet };
  const cells = (row: readonly WorkbookCell[], line: number) =>
    row.map((cell, column) => buildCellXml(cell, `${String.fromCharCode(65 + column)}${line}`)).join('');
  const lines = rows.map((row, index) => {
    const hiddenAttribute = hidden.includes(index + 1) ? ' hidden="1"' : '';
    return `<row r="${index + 1}"${hiddenAttribute}>${cells(row, index + 1)}</row>`;
  });
  const ranges = merged.map((range) => `<mergeCell ref="${range}"/>`).join('');
  const mergeCells = ranges && `<mergeCells>${ranges}</mergeCells>`;
  const [min, max] = hiddenColumns ?? [];
  const cols = hiddenColumns ? `<cols><col min="${min}" max="${max}" width="9" hidden="1"/></cols>` : '';
  return `${HEAD}<worksheet xmlns="${MAIN}">${cols}<sheetData>${lines.join('')}</sheetData>${mergeCells}</worksheet>`;
}

function buildCellXml(cell: WorkbookCell, cellName: string): string {
  if (cell === null) return '';
  if (typeof cell === 'boolean') return `<c r="${cellName}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  if (typeof cell !== 'string' && 'xml' in cell) return `<c r="${cellName}"${cell.xml}</c>`;
  if (typeof cell !== 'string')
    return `<c r="${cellName}" s="${FORMATS[cell.format ?? 'none']}"><v>${cell.number}</v></c>`;
  const text = cell.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<c r="${cellName}" t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`;
}

/** Builds a ZIP archive. A string is stored without compression. */
function buildZip(files: Readonly<Record<string, string | CompressedPart>>): Buffer {
  const content: Zippable = {};
  for (const [name, file] of Object.entries(files)) {
    content[name] = typeof file === 'string' ? [strToU8(file), { level: 0 }] : strToU8(file.text);
  }
  const archive = Buffer.from(zipSync(content));
  for (const [name, file] of Object.entries(files)) {
    // In the central directory, 46 bytes precede the name of a file. The size is at byte 24 of these.
    if (typeof file !== 'string') archive.writeUInt32LE(file.declaredSize, archive.lastIndexOf(name) - 46 + 24);
  }
  return archive;
}
