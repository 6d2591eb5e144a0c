import { getCellAddress } from 'write-excel-file/utility';
import { SpreadsheetError, type UnreadableCell } from './spreadsheet-error.ts';
import { texts } from './spreadsheet-texts.ts';

/** The maximum number of cells between A1 and the last filled cell of a sheet. */
export const MAX_CELLS = 5_000_000;
const MAX_ROWS = 1_048_576;
const MAX_COLUMNS = 16_384;

/** The place of a cell. The first row and the first column are 1. */
type CellPlace = Readonly<Record<'row' | 'column', number>>;
export type CellRange = Readonly<Record<'first' | 'last', CellPlace>>;
type ColumnRange = Readonly<Record<'min' | 'max', number>>;

/** A cell with a number format, or with an error that replaces its value. */
export type MarkedCell = CellPlace & { readonly format: string; readonly unreadable: UnreadableCell | null };
/** A cell whose end has not been read. `type` is its attribute `t`, such as `str` for a text or `e` for an error. */
type OpenCell = CellPlace & {
  readonly format: string;
  readonly type: string | undefined;
  hasFormula: boolean;
  value: string | null;
};

const PREFIX = String.raw`(?:[\w.-]*:)?`; // x:
const READ_ELEMENTS = 'c|col|row|f|v|is|mergeCell'; // cell, columns, row, formula, value, text in a cell, merged cell
// The tag of an element that is read, such as `c r="A1" t="str"`. Other forms that XML allows are rejected, because the
// library could read them differently.
const READ_TAG = String.raw`(\/?)${PREFIX}(${READ_ELEMENTS})((?:\s+[\w.:-]+="[^"<>]*")*)\s*(\/?)`;
// The declaration of the XML, or the tag of another element, such as `sheetData`.
const OTHER_TAG = String.raw`\?[^<>]*\?|(?!\/?${PREFIX}(?:${READ_ELEMENTS})[\s/>])[^<>!?][^<>]*`;
// A tag, and the text after it, such as `<c r="A1" t="str">` or `<v>1050.5`.
const TAG = new RegExp(`<(?:${READ_TAG}|${OTHER_TAG})>([^<]*)`, 'gy');
// The maximum of a tag with its text. A cell has at most 32,767 characters. The library needs minutes for longer texts.
const MAX_TAG_DISTANCE = 512 * 1024;
const CELL_NAME = /^([A-Z]{1,3})([1-9]\d{0,6})$/; // C7
const LETTER_COUNT = 26;
const CODE_BEFORE_A = 'A'.charCodeAt(0) - 1;
const ATTRIBUTES = ['r', 's', 't', 'ref', 'hidden', 'min', 'max'] as const;
type AttributeName = (typeof ATTRIBUTES)[number];
const STARTS = ATTRIBUTES.map((name) => [name, new RegExp(`[\\s:]${name}="`)] as const); // r="
const ATTRIBUTE_STARTS = Object.fromEntries(STARTS) as Readonly<Record<AttributeName, RegExp>>;

/** The properties of a sheet that the library `read-excel-file` does not return. */
interface SheetScan {
  /** The cells with one of the number formats (by cell style), with an error, or with a formula without a value. */
  readonly marked: readonly MarkedCell[];
  readonly merged: readonly CellRange[];
  readonly hiddenRows: ReadonlySet<number>;
  readonly hiddenColumns: readonly ColumnRange[];
}

/** Scans the XML of a sheet. Throws an error if the XML is not as spreadsheets write it, or has too many cells. */
export function scanSheet(xml: string, sheet: string, formats: ReadonlyMap<string, string>): SheetScan {
  const marked: MarkedCell[] = [];
  const merged: CellRange[] = [];
  const hiddenRows = new Set<number>();
  const hiddenColumns: ColumnRange[] = [];
  const lastFilled = { row: 0, column: 0 };
  let isRowHidden = false;
  let cell: OpenCell | null = null;

  for (const { element, isEndTag, isEmptyElement, attributes, text } of readTags(xml)) {
    // The next tag of a cell or of a row ends the cell. Later elements can contain formulas that belong to no cell.
    if (cell && (element === 'c' || element === 'row')) {
      const markedCell = toMarkedCell(cell);
      if (markedCell) marked.push(markedCell);
      cell = null;
    }
    if (isEndTag) continue;
    if (element === 'row') {
      checkRowNumber(attributes);
      isRowHidden = isHidden(attributes);
    } else if (element === 'col') {
      if (isHidden(attributes)) hiddenColumns.push(readColumnRange(attributes));
    } else if (element === 'mergeCell') {
      merged.push(readRange(attributes));
    } else if (element === 'c') {
      const place = parsePlace(readAttribute(attributes, 'r'));
      if (isRowHidden) hiddenRows.add(place.row);
      if (!isEmptyElement) cell = openCell(place, attributes, formats);
    } else if (cell) {
      if (element === 'f') cell.hasFormula = true;
      else cell.value = isEmptyElement ? '' : text;
      lastFilled.row = Math.max(lastFilled.row, cell.row);
      lastFilled.column = Math.max(lastFilled.column, cell.column);
    }
  }
  if (hiddenColumns.length > MAX_COLUMNS) throwUnexpectedXml();
  checkCellCount(lastFilled, sheet);
  return { marked, merged, hiddenRows, hiddenColumns };
}

/** Yields the tags of READ_ELEMENTS, with the text after each tag. Throws an error if another part is not a tag. */
function* readTags(xml: string) {
  let scannedLength = xml.indexOf('<');
  for (const match of xml.slice(scannedLength).matchAll(TAG)) {
    const [tag, endSlash, element, attributes = '', emptySlash, text = ''] = match;
    if (tag.length > MAX_TAG_DISTANCE) throwUnexpectedXml();
    scannedLength += tag.length;
    if (element) yield { element, isEndTag: endSlash === '/', isEmptyElement: emptySlash === '/', attributes, text };
  }
  if (scannedLength !== xml.length) throwUnexpectedXml();
}

function openCell(place: CellPlace, attributes: string, formats: ReadonlyMap<string, string>): OpenCell {
  const type = readAttribute(attributes, 't');
  // A date of a Strict Open XML workbook, which the library would read in the zone of the machine.
  if (type === 'd') throwUnexpectedXml();
  const format = formats.get(readAttribute(attributes, 's') ?? '') ?? '';
  return { ...place, format, type, hasFormula: false, value: null };
}

/** Returns a complete cell with its format and its error, or null if it has neither. */
function toMarkedCell(cell: OpenCell): MarkedCell | null {
  const { row, column, format } = cell;
  const unreadable = findCellError(cell);
  return format !== '' || unreadable ? { row, column, format, unreadable } : null;
}

function findCellError({ type, hasFormula, value }: OpenCell): UnreadableCell | null {
  if (type === 'e') return { value: value ?? '', error: texts.errorCell };
  // A formula without a stored value has no value element or an empty one. An empty value of the type `str` is a text.
  const hasStoredValue = value !== null && (value !== '' || type === 'str');
  return hasFormula && !hasStoredValue ? { value: '', error: texts.formulaWithoutValue } : null;
}

/** Reads the numbers of the first and the last column that an element describes. */
function readColumnRange(attributes: string): ColumnRange {
  return { min: Number(readAttribute(attributes, 'min')), max: Number(readAttribute(attributes, 'max')) };
}

/** Throws an error if a row has an invalid number. A row needs no number. */
function checkRowNumber(attributes: string): void {
  const row = Number(readAttribute(attributes, 'r') ?? 1);
  const isValid = Number.isInteger(row) && row >= 1 && row <= MAX_ROWS;
  if (!isValid) throwUnexpectedXml();
}

function isHidden(attributes: string): boolean {
  const value = readAttribute(attributes, 'hidden');
  return value === '1' || value === 'true';
}

/** Reads the range of a merged cell, such as `B2:C3`, or one cell. */
function readRange(attributes: string): CellRange {
  const [first, last = first] = readAttribute(attributes, 'ref')?.split(':') ?? [];
  return { first: parsePlace(first), last: parsePlace(last) };
}

function checkCellCount(last: CellPlace, sheet: string): void {
  if (last.row * last.column <= MAX_CELLS) return;
  throw new SpreadsheetError(texts.tooManyCells(sheet, formatCellName(last), MAX_CELLS));
}

/** Returns the name of a cell, for example C7. */
export const formatCellName = ({ row, column }: CellPlace) => getCellAddress(row - 1, column - 1);

/** Parses the name of a cell, such as C7. Throws an error for another string. */
function parsePlace(name = ''): CellPlace {
  const [, letters = '', digits = ''] = CELL_NAME.exec(name) ?? [];
  const row = Number(digits);
  let column = 0; // A is 1, Z is 26, AA is 27.
  for (const letter of letters) column = column * LETTER_COUNT + letter.charCodeAt(0) - CODE_BEFORE_A;
  if (letters === '' || column > MAX_COLUMNS || row > MAX_ROWS) throwUnexpectedXml();
  return { row, column };
}

/** Returns the value of an attribute, with or without a prefix. Throws an error if there are two. */
function readAttribute(attributes: string, name: AttributeName): string | undefined {
  const [, valueAndRest, another] = attributes.split(ATTRIBUTE_STARTS[name]);
  if (another !== undefined) throwUnexpectedXml();
  return valueAndRest?.slice(0, valueAndRest.indexOf('"'));
}

function throwUnexpectedXml(): never {
  throw new Error('The XML of the sheet is not as spreadsheets write it.');
}
