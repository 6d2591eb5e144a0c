import { getCellAddress } from 'write-excel-file/utility';
import { SpreadsheetError, type UnreadableCell } from './spreadsheet-error.ts';
import { texts } from './spreadsheet-texts.ts';

/** The maximum number of cells between A1 and the last filled cell of a sheet. */
export const MAX_CELLS = 5_000_000;
const [MAX_ROWS, MAX_COLUMNS] = [1_048_576, 16_384];

/** The place of a cell; rows and columns begin with 1. */
type CellPlace = Readonly<Record<'row' | 'column', number>>;
export type CellRange = Readonly<Record<'first' | 'last', CellPlace>>;

const PREFIX = String.raw`(?:[\w.-]*:)?`;
const READ_ELEMENTS = 'c|row|f|v|is|mergeCell';
/** The tag of an element that is read. It is stricter than XML: the library could read other forms differently. */
const READ_TAG = String.raw`(\/?)${PREFIX}(${READ_ELEMENTS})((?:\s+[\w.:-]+="[^"<>]*")*)\s*(\/?)`;
/** A comment, a declaration, or the tag of another element. */
const OTHER_TAG = String.raw`!--[^<>]*--|\?[^<>]*\?|(?!\/?${PREFIX}(?:${READ_ELEMENTS})[\s/>])[^<>!?][^<>]*`;
/** A tag, and the text after it. */
const TAG = new RegExp(`<(?:${READ_TAG}|${OTHER_TAG})>([^<]*)`, 'gy');
/** The maximum distance between two tags. A text has 32,767 characters; of longer ones, the library takes minutes. */
const MAX_TAG_DISTANCE = 512 * 1024;
const CELL_NAME = /^([A-Z]{1,3})([1-9]\d{0,6})$/;

/**
 * Scans the XML of a sheet for what the library for workbooks does not return: merged cells, hidden rows, and cells with
 * an error, or with a formula without a stored value. Throws a SpreadsheetError if the cells would need too much memory,
 * and another error if the XML is not as spreadsheets write it.
 */
export function scanSheet(xml: string, sheet: string) {
  const unreadable: (CellPlace & { readonly cell: UnreadableCell })[] = [];
  const merged: CellRange[] = [];
  const hiddenRows = new Set<number>();
  let [lastRow, lastColumn] = [0, 0];
  let cell: { name: string; type: string | undefined; hasFormula: boolean; value: string | null } | null = null;

  const endCell = () => {
    if (!cell) return;
    const { name, type, hasFormula, value } = cell;
    const isWithoutValue = hasFormula && !value && !(type === 'str' && value === '');
    const fault = type === 'e' ? texts.errorCell(name, value ?? '') : texts.formulaWithoutValue(name);
    if (type === 'e' || isWithoutValue) unreadable.push({ ...parsePlace(name), cell: { value: value ?? '', fault } });
    cell = null;
  };

  let end = xml.indexOf('<');
  for (const [tag, closing, element, attributes = '', slash, text = ''] of xml.slice(end).matchAll(TAG)) {
    if (tag.length > MAX_TAG_DISTANCE) unexpectedXml();
    end += tag.length;
    // Other elements behind the cells have formulas, too.
    if (closing === '/' && element === 'c') endCell();
    if (element === undefined || closing === '/') continue;
    if (element === 'c') {
      endCell();
      const name = readAttribute(attributes, 'r') ?? unexpectedXml();
      parsePlace(name);
      if (slash === '') cell = { name, type: readAttribute(attributes, 't'), hasFormula: false, value: null };
    } else if (element === 'row') {
      endCell();
      const row = Number(readAttribute(attributes, 'r') ?? 1);
      if (!(Number.isSafeInteger(row) && row >= 1 && row <= MAX_ROWS)) unexpectedXml();
      if (/^(?:1|true)$/.test(readAttribute(attributes, 'hidden') ?? '')) hiddenRows.add(row);
    } else if (element === 'mergeCell') {
      const [first = '', last = first] = (readAttribute(attributes, 'ref') ?? '').split(':');
      merged.push({ first: parsePlace(first), last: parsePlace(last) });
    } else if (cell) {
      const { row, column } = parsePlace(cell.name);
      [lastRow, lastColumn] = [Math.max(lastRow, row), Math.max(lastColumn, column)];
      if (element === 'f') cell.hasFormula = true;
      else cell.value = slash === '' ? text : '';
    }
  }
  if (end !== xml.length) unexpectedXml();
  endCell();
  if (lastRow * lastColumn > MAX_CELLS) {
    throw new SpreadsheetError(texts.tooManyCells(sheet, cellName({ row: lastRow, column: lastColumn }), MAX_CELLS));
  }
  return { unreadable, merged, hiddenRows };
}

/** Returns the name of a cell, for example C7. */
export const cellName = ({ row, column }: CellPlace) => getCellAddress(row - 1, column - 1);

function parsePlace(name: string): CellPlace {
  const [, letters = '', digits = ''] = CELL_NAME.exec(name) ?? unexpectedXml();
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  const row = Number(digits);
  return column <= MAX_COLUMNS && row <= MAX_ROWS ? { row, column } : unexpectedXml();
}

/** Returns the value of an attribute, with or without a prefix; throws if there are two. */
function readAttribute(attributes: string, name: 'r' | 't' | 'ref' | 'hidden'): string | undefined {
  const [, rest, another] = attributes.split(ATTRIBUTE_START[name]);
  if (another !== undefined) unexpectedXml();
  return rest?.slice(0, rest.indexOf('"'));
}

const ATTRIBUTE_START = { r: /[\s:]r="/, t: /[\s:]t="/, ref: /[\s:]ref="/, hidden: /[\s:]hidden="/ };

function unexpectedXml(): never {
  throw new Error('The XML of the sheet is not as spreadsheets write it.');
}
