import { strToU8, unzipSync, zipSync } from 'fflate';
import readAllSheets from 'read-excel-file/universal';
import { type ColumnOptions, findHeader, joinQuoted } from './find-columns.ts';
import { joinBytes } from './join-bytes.ts';
import { readSheetRows } from './read-sheet-rows.ts';
import { SpreadsheetError } from './spreadsheet-error.ts';
import { texts } from './spreadsheet-texts.ts';

const MIB = 1024 * 1024;

/** The maximum size of a workbook, which is read as a whole. */
export const MAX_WORKBOOK_BYTES = 32 * MIB;
/** The maximum size of the parts of a workbook that are read, after decompression. */
export const MAX_UNPACKED_BYTES = 96 * MIB;
// The library `read-excel-file` needs four times as long for a list of sheets of twice the size.
const MAX_LIST_BYTES = MIB;
const LIST_PARTS = ['xl/workbook.xml', 'xl/_rels/workbook.xml.rels'];
// The parts with XML. A pivot cache is never read, and can be larger than the sheets.
const TEXT_PART = /^xl\/(?!pivotCache\/).*\.xml(?:\.rels)?$/;
const MAX_SEARCHED_SHEETS = 20;
// The tag of a sheet in the list of sheets: <sheet name="Facturas" state="hidden" r:id="rId1"/>.
const SHEET_TAG = /<(?:[\w.-]+:)?sheet\s(?:[^<>"']|"[^"]*"|'[^']*')*>/g;
// XML that spreadsheet programs do not write, and that the library would read wrongly: a comment, CDATA, a DOCTYPE, a
// processing instruction, or the number of a character above U+FFFF, such as `&#128512;`.
const UNSUPPORTED_XML = /<!|<\?(?!xml\s)|&#(?:\d{6}|x[\da-f]{5})/i;
// The option that the days are counted from 1904. The library knows it only with the value 1.
const DATES_FROM_1904 = /(<(?:[\w.-]+:)?workbookPr\s[^<>]*\bdate1904=)["']true["']/;
const HIDDEN_STATE = /\sstate=["'](?:hidden|veryHidden)["']/;

// The first bytes of a workbook of Excel 97 to 2003.
const OLD_WORKBOOK = [0xd0, 0xcf, 0x11, 0xe0];
// The first bytes of a ZIP archive, which a workbook (.xlsx) is.
const ZIP_ARCHIVE = [0x50, 0x4b, 0x03, 0x04];

/** The XML of the parts of a workbook by their names, such as `xl/workbook.xml`. */
type Parts = Readonly<Record<string, string>>;

/** A sheet of a workbook. Its rows are read later, because usually only the first sheet is needed. */
interface Sheet {
  readonly name: string;
  readonly position: number;
  readonly isHidden: boolean;
  readonly read: () => ReturnType<typeof readSheetRows>;
}

/** True if bytes begin like a workbook (.xlsx). Throws a SpreadsheetError for a workbook of Excel 97. */
export function isWorkbook(bytes: Uint8Array): boolean {
  const startsWith = (signature: readonly number[]) => signature.every((byte, index) => bytes[index] === byte);
  if (startsWith(OLD_WORKBOOK)) throw new SpreadsheetError(texts.oldWorkbook);
  return startsWith(ZIP_ARCHIVE);
}

/** Reads the sheet that `findSheet` finds. Throws a SpreadsheetError if the workbook cannot be read. */
export async function openSheet(
  firstPiece: Uint8Array,
  otherPieces: AsyncIterable<Uint8Array>,
  options: ColumnOptions<string>,
) {
  const pieces = [firstPiece];
  let size = firstPiece.length;
  for await (const piece of otherPieces) {
    if (size > MAX_WORKBOOK_BYTES) break;
    pieces.push(piece);
    size += piece.length;
  }
  if (size > MAX_WORKBOOK_BYTES) throw createSizeError();
  try {
    const sheets = await openWorkbook(await joinBytes(pieces));
    const { name, position, rows, hiddenColumns, header } = await findSheet(sheets, options);
    // Hidden rows below the header are read like all others. The detected format lists their number.
    const hiddenRows = rows.filter((row, index) => row.isHidden && index > header.index);
    const hiddenLines = hiddenRows.map(({ line }) => line);
    const origin = { sheet: name, position, sheets: sheets.length, hiddenLines, hiddenColumns };
    return { origin, sample: rows, rest: [] };
  } catch (error) {
    // The libraries and the checks of the XML throw other errors.
    throw error instanceof SpreadsheetError ? error : new SpreadsheetError(texts.brokenWorkbook);
  }
}

/** Finds the sheet with all required fields, or else the first visible one. Throws an error if the choice is unclear. */
async function findSheet(sheets: readonly Sheet[], options: ColumnOptions<string>) {
  const visibleSheets = sheets.filter(({ isHidden }) => !isHidden).slice(0, MAX_SEARCHED_SHEETS);
  const searchedSheets = [];
  for (const { name, position, read } of visibleSheets) {
    const { rows, hiddenColumns } = await read();
    const searchedSheet = { name, position, rows, hiddenColumns, header: findHeader(rows, options) };
    searchedSheets.push(searchedSheet);
    // If the first visible sheet has all required fields, the others are not read.
    if (searchedSheets.length === 1 && searchedSheet.header.isComplete) return searchedSheet;
  }
  const completeSheets = searchedSheets.filter(({ header }) => header.isComplete);
  if (completeSheets.length > 1) {
    throw new SpreadsheetError(texts.severalSheets(joinQuoted(completeSheets.map(({ name }) => name))));
  }
  // If no sheet has all required fields, the errors of the first visible one are shown.
  const sheet = completeSheets[0] ?? searchedSheets[0];
  if (!sheet) throw new Error('All sheets are hidden.');
  return sheet;
}

/** Opens a workbook, and returns its sheets. */
export async function openWorkbook(archive: Uint8Array): Promise<Sheet[]> {
  const unpackedParts = Object.entries(unpackWorkbook(archive));
  const parts: Parts = Object.fromEntries(unpackedParts.map(([name, bytes]) => [name, decodePart(bytes)]));
  const sheets = await listSheets(parts);
  const sheetParts = sheets.map(({ part }) => part);
  return sheets.map(({ name, part, listPosition, isHidden }, index) => {
    const read = () => {
      // The library receives no other sheet than the one that `scanSheet` checks.
      const readableParts = Object.entries(parts).filter(([other]) => other === part || !sheetParts.includes(other));
      const source = { name, listPosition, xml: parts[part] ?? '', stylesXml: parts['xl/styles.xml'] ?? '' };
      return readSheetRows({ ...source, archive: buildArchive(Object.fromEntries(readableParts)) });
    };
    return { name, position: index + 1, isHidden, read };
  });
}

/** Unpacks the XML parts of a workbook by name. `unzipSync` unpacks at most as many bytes as the archive declares. */
function unpackWorkbook(archive: Uint8Array): Readonly<Record<string, Uint8Array>> {
  let total = 0;
  return unzipSync(archive, {
    filter({ name, size, originalSize }) {
      if (!TEXT_PART.test(name)) return false;
      // A part that is not compressed is unpacked with its packed size.
      total += Math.max(size, originalSize);
      if (total > MAX_UNPACKED_BYTES) throw createSizeError();
      return true;
    },
  });
}

/** Decodes a part, which must be in UTF-8. Throws an error if the library would change its texts. */
function decodePart(bytes: Uint8Array): string {
  const xml = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll(/\r\n?/g, '\n');
  if (UNSUPPORTED_XML.test(xml)) throw new Error('The XML of the workbook is not as spreadsheets write it.');
  return xml.replace(DATES_FROM_1904, '$1"1"');
}

function createSizeError(): SpreadsheetError {
  return new SpreadsheetError(texts.largeWorkbook(MAX_WORKBOOK_BYTES / MIB, MAX_UNPACKED_BYTES / MIB));
}

/** Lists the sheets of a workbook, without charts, with their positions in its list of sheets and charts. */
async function listSheets(parts: Parts) {
  // The library finds the part of each sheet, but does not return its name. Therefore it reads a copy of the workbook
  // in which the cell A1 of each part contains the index of the part.
  const lists = Object.entries(parts).filter(([name]) => LIST_PARTS.includes(name));
  if (lists.some(([, xml]) => xml.length > MAX_LIST_BYTES)) throw new Error('There are too many sheets.');
  const names = Object.keys(parts);
  const buildNumberedPart = (index: number) => `<sheetData><row r="1"><c r="A1"><v>${index}</v></c></row></sheetData>`;
  const numberedParts = names.map((name, index) => [name, buildNumberedPart(index)] as const);
  const numberedArchive = buildArchive(Object.fromEntries([...numberedParts, ...lists]));
  const listedSheets: readonly { sheet: string; data?: unknown[][] }[] = await readAllSheets(numberedArchive);
  const tags = parts['xl/workbook.xml']?.match(SHEET_TAG) ?? [];
  if (tags.length !== listedSheets.length) throw new Error('The list of sheets is not as spreadsheets write it.');
  const sheets = [];
  for (const [index, { sheet: name, data }] of listedSheets.entries()) {
    const part = names.find((_, partIndex) => partIndex === data?.[0]?.[0]);
    const isHidden = HIDDEN_STATE.test(tags[index] ?? '');
    // The library returns no cells of a chart.
    if (part !== undefined) sheets.push({ name, part, listPosition: index + 1, isHidden });
  }
  return sheets;
}

/** Builds an archive in memory for the library, which opens nothing else. */
function buildArchive(parts: Parts) {
  const files = Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)] as const);
  return zipSync(Object.fromEntries(files), { level: 0 }).buffer;
}
