import { getCellAddress } from 'write-excel-file/utility';
import type { Text } from '../../domain/language.ts';
import { SpreadsheetError, type UnreadableCell } from './spreadsheet-error.ts';
import { texts } from './spreadsheet-texts.ts';

/** The maximum number of cells between A1 and the last filled cell of a sheet. */
export const MAX_CELLS = 5_000_000;
const MAX_ROWS = 1_048_576;
const MAX_COLUMNS = 16_384;

/** The place of a cell; rows and columns begin with 1. */
type CellPlace = Readonly<Record<'row' | 'column', number>>;
export type CellRange = Readonly<Record<'first' | 'last', CellPlace>>;

const PREFIX = String.raw`(?:[\w.-]*:)?`;
const READ_ELEMENTS = 'c|row|f|v|is|mergeCell';
// The tag of an element that is read. It is stricter than XML: the library could read other forms differently.
const READ_TAG = String.raw`(\/?)${PREFIX}(${READ_ELEMENTS})((?:\s+[\w.:-]+="[^"<>]*")*)\s*(\/?)`;
// A comment, a declaration, or the tag of another element.
const OTHER_TAG = String.raw`!--[^<>]*--|\?[^<>]*\?|(?!\/?${PREFIX}(?:${READ_ELEMENTS})[\s/>])[^<>!?][^<>]*`;
// A tag, and the text after it, such as `<c r="A1" t="str">` or `<v>1050.5`.
const TAG = new RegExp(`<(?:${READ_TAG}|${OTHER_TAG})>([^<]*)`, 'gy');
// A cell has at most 32,767 characters. For much longer texts, the library takes minutes.
const MAX_TAG_DISTANCE = 512 * 1024;
const CELL_NAME = /^([A-Z]{1,3})([1-9]\d{0,6})$/;

/**
 * Scans the XML of a sheet for what the library does not return: merged cells, hidden rows, percentages, cells with an
 * error, and formulas without a stored value. Throws a SpreadsheetError if the cells would need too much memory, and another error
 * if the XML is not as spreadsheets write it.
 */
export function scanSheet(xml: string, sheet: string, percentStyles: ReadonlySet<string>) {
  const unreadable: (CellPlace & { readonly cell: UnreadableCell })[] = [];
  const percentages: CellPlace[] = [];
  const merged: CellRange[] = [];
  const hiddenRows = new Set<number>();
  const last = { row: 0, column: 0 };
  let cell: (CellPlace & { type: string | undefined; hasFormula: boolean; value: string | null }) | null = null;

  const endCell = () => {
    if (!cell) return;
    const { type, hasFormula, value, ...place } = cell;
    cell = null;
    const addUnreadable = (text: string, error: Text) => unreadable.push({ ...place, cell: { value: text, error } });
    // The value of a formula can be an empty text.
    const hasEmptyText = type === 'str' && value === '';
    if (type === 'e') addUnreadable(value ?? '', texts.errorCell);
    else if (hasFormula && !value && !hasEmptyText) addUnreadable('', texts.formulaWithoutValue);
  };

  let scannedLength = xml.indexOf('<');
  for (const match of xml.slice(scannedLength).matchAll(TAG)) {
    const [tag, endSlash, element, attributes = '', emptySlash, text = ''] = match;
    const isEndTag = endSlash === '/';
    const isEmptyElement = emptySlash === '/';
    if (tag.length > MAX_TAG_DISTANCE) throwUnexpectedXml();
    scannedLength += tag.length;
    // Elements after the last cell, such as a list of allowed values, can contain formulas, too.
    if (isEndTag && element === 'c') endCell();
    if (isEndTag || element === undefined) continue;
    if (element === 'c') {
      endCell();
      const place = parsePlace(readAttribute(attributes, 'r'));
      if (percentStyles.has(readAttribute(attributes, 's') ?? '')) percentages.push(place);
      if (!isEmptyElement) cell = { ...place, type: readAttribute(attributes, 't'), hasFormula: false, value: null };
    } else if (element === 'row') {
      endCell();
      const row = Number(readAttribute(attributes, 'r') ?? 1);
      if (!(Number.isInteger(row) && row >= 1 && row <= MAX_ROWS)) throwUnexpectedXml();
      if (/^(?:1|true)$/.test(readAttribute(attributes, 'hidden') ?? '')) hiddenRows.add(row);
    } else if (element === 'mergeCell') {
      const [first, lastOfRange = first] = readAttribute(attributes, 'ref')?.split(':') ?? [];
      merged.push({ first: parsePlace(first), last: parsePlace(lastOfRange) });
    } else if (cell) {
      last.row = Math.max(last.row, cell.row);
      last.column = Math.max(last.column, cell.column);
      if (element === 'f') cell.hasFormula = true;
      else cell.value = isEmptyElement ? '' : text;
    }
  }
  if (scannedLength !== xml.length) throwUnexpectedXml();
  endCell();
  if (last.row * last.column > MAX_CELLS) {
    throw new SpreadsheetError(texts.tooManyCells(sheet, formatCellName(last), MAX_CELLS));
  }
  return { unreadable, percentages, merged, hiddenRows };
}

/** Returns the name of a cell, for example C7. */
export const formatCellName = ({ row, column }: CellPlace) => getCellAddress(row - 1, column - 1);

function parsePlace(name = ''): CellPlace {
  const [, letters = '', digits = ''] = CELL_NAME.exec(name) ?? throwUnexpectedXml();
  const row = Number(digits);
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column <= MAX_COLUMNS && row <= MAX_ROWS ? { row, column } : throwUnexpectedXml();
}

/** Returns the value of an attribute, with or without a prefix; throws if there are two. */
function readAttribute(attributes: string, name: keyof typeof ATTRIBUTE_START): string | undefined {
  const [, rest, another] = attributes.split(ATTRIBUTE_START[name]);
  if (another !== undefined) throwUnexpectedXml();
  return rest?.slice(0, rest.indexOf('"'));
}

const ATTRIBUTE_START = { r: /[\s:]r="/, s: /[\s:]s="/, t: /[\s:]t="/, ref: /[\s:]ref="/, hidden: /[\s:]hidden="/ };

function throwUnexpectedXml(): never {
  throw new Error('The XML of the sheet is not as spreadsheets write it.');
}
