import { formatCellName, parsePlace } from './scan-sheet.ts';

const OTHER_ENCODING = /^[^<]*<\?xml\s[^>]*\bencoding=["'](?!(?:utf-8|(?:us-)?ascii)["'])/i;
// Of a text with a comment, an instruction or CDATA, the library returns one piece: `<t>A<!-- -->B</t>`.
const MARKUP_IN_TEXT = /<(?:[\w.-]+:)?[tv](?:\s[^<>]*)?>[^<]*<[!?]/;
// Of several texts in one element, the library returns the last: `<t>A</t><t>B</t>`.
const SECOND_TEXT = /<\/(?:[\w.-]+:)?(?:t|r|rPh)>\s*<(?:[!?]|(?:[\w.-]+:)?t[\s>])/;
// The library does not decode a CDATA section, entities of a DOCTYPE, or the number of a character above U+FFFF.
const UNKNOWN_TEXT = /<!(?!--)|&#(?:\d{6}|x[\da-f]{5})/i;
// The library ignores the definition of a number format below 100.
const LOW_FORMAT = /<(?:[\w.-]+:)?numFmt\s[^<>]*?\bnumFmtId="(\d{1,2})"/g;
const CELL_WITHOUT_REFERENCE = /<(?:[\w.-]+:)?c(?=[\s/>])(?![^<>]*\sr=)/;
const ROW_OR_CELL = /<((?:[\w.-]+:)?(row|c))(?=[\s/>])([^<>]*)>/g;
const ISO_DATE_CELL = /<(?:[\w.-]+:)?c\s[^<>]*\bt="d"[^<>]*>/g;

/**
 * Converts a part of a workbook, which must be in UTF-8, to XML that the library reads correctly. Throws an error if
 * the library would change a text, or return only a piece of it.
 */
export function normalisePart(part: Uint8Array): string {
  let xml = new TextDecoder('utf-8', { fatal: true }).decode(part).replaceAll(/\r\n?/g, '\n');
  if (OTHER_ENCODING.test(xml)) throw new Error('A part is not in UTF-8.');
  if ([MARKUP_IN_TEXT, SECOND_TEXT, UNKNOWN_TEXT].some((form) => form.test(xml))) throw new Error('A text is split.');
  for (const id of new Set(Array.from(xml.matchAll(LOW_FORMAT), ([, number]) => number))) {
    xml = xml.replaceAll(`numFmtId="${id}"`, `numFmtId="1000${id}"`);
  }
  xml = xml.replace(/(<(?:[\w.-]+:)?workbookPr\s[^<>]*?\bdate1904=)["']true["']/, '$1"1"');
  if (CELL_WITHOUT_REFERENCE.test(xml)) xml = addReferences(xml);
  // The library reads a date of ISO 8601 in the zone of the machine. As a number, `parseNumber` receives its text.
  return xml.replaceAll(ISO_DATE_CELL, (tag) => tag.replaceAll(/\s(?:[\w.-]+:)?[st]="[^"]*"/g, ''));
}

/** Adds the references of rows and cells without one. Each of them is the next one after the one before it. */
function addReferences(xml: string): string {
  let row = 0;
  let column = 0;
  return xml.replaceAll(ROW_OR_CELL, (tag: string, name: string, element: string, attributes: string) => {
    const [, reference] = /\sr="([^"]*)"/.exec(attributes) ?? [];
    if (element === 'row') {
      row = reference === undefined ? row + 1 : Number(reference);
      column = 0;
    } else column = reference === undefined ? column + 1 : parsePlace(reference).column;
    if (reference !== undefined) return tag;
    return `<${name} r="${element === 'row' ? row : formatCellName({ row, column })}"${attributes}>`;
  });
}
