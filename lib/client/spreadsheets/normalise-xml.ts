import { formatCellName, parsePlace } from './scan-sheet.ts';

const PREFIX = String.raw`(?:[\w.-]+:)?`; // x:
// A declaration such as <?xml version="1.0" encoding="UTF-16"?>.
const OTHER_ENCODING = /^[^<]*<\?xml\s[^>]*\bencoding=["'](?!(?:utf-8|(?:us-)?ascii)["'])/i;
// read-excel-file returns only a piece of a text with a comment, an instruction or CDATA: `<t>A<!-- -->B</t>`.
const MARKUP_IN_TEXT = new RegExp(String.raw`<${PREFIX}[tv](?:\s[^<>]*)?>[^<]*<[!?]`);
// The library returns only the last of several texts in one element: `<t>A</t><t>B</t>`.
const SECOND_TEXT = new RegExp(String.raw`</${PREFIX}(?:t|r|rPh)>\s*<(?:[!?]|${PREFIX}t[\s>])`);
// The library does not decode a CDATA section, entities of a DOCTYPE, or the number of a character above U+FFFF.
const UNKNOWN_TEXT = /<!(?!--)|&#(?:\d{6}|x[\da-f]{5})/i;
// The library ignores the definition of a number format below 100.
const LOW_FORMAT = new RegExp(String.raw`<${PREFIX}numFmt\s[^<>]*?\bnumFmtId="(\d{1,2})"`, 'g');
// The library knows only the value 1 of the option that dates begin in 1904.
const DATES_FROM_1904 = new RegExp(String.raw`(<${PREFIX}workbookPr\s[^<>]*?\bdate1904=)["']true["']`);
const CELL_WITHOUT_REFERENCE = new RegExp(String.raw`<${PREFIX}c(?=[\s/>])(?![^<>]*\sr=)`);
const ROW_OR_CELL = new RegExp(String.raw`<(${PREFIX}(row|c))(?=[\s/>])([^<>]*)>`, 'g');
const REFERENCE = /\sr="([^"]*)"/; // r="C7"
const ISO_DATE_CELL = new RegExp(String.raw`<${PREFIX}c\s[^<>]*\bt="d"[^<>]*>`, 'g');
const STYLE_OR_TYPE = new RegExp(String.raw`\s${PREFIX}[st]="[^"]*"`, 'g'); // s="1", t="d"

/** Converts a part in UTF-8 to XML that the library reads correctly. Throws an error if it would change a text. */
export function normalisePart(part: Uint8Array): string {
  const xml = new TextDecoder('utf-8', { fatal: true }).decode(part).replaceAll(/\r\n?/g, '\n');
  if (OTHER_ENCODING.test(xml)) throw new Error('A part is not in UTF-8.');
  const isTextChanged = [MARKUP_IN_TEXT, SECOND_TEXT, UNKNOWN_TEXT].some((form) => form.test(xml));
  if (isTextChanged) throw new Error('The library would change a text.');
  const xmlWithFormats = raiseLowFormats(xml).replace(DATES_FROM_1904, '$1"1"');
  const completeXml = CELL_WITHOUT_REFERENCE.test(xmlWithFormats) ? addReferences(xmlWithFormats) : xmlWithFormats;
  // The library reads a date of ISO 8601 in the zone of the machine. Without its type, it is parsed as a number.
  return completeXml.replaceAll(ISO_DATE_CELL, (tag) => tag.replaceAll(STYLE_OR_TYPE, ''));
}

/** Replaces the ids of number formats below 100 by ids above 100: `7` becomes `10007`. */
function raiseLowFormats(xml: string): string {
  const ids = new Set(Array.from(xml.matchAll(LOW_FORMAT), ([, id]) => id));
  let raisedXml = xml;
  for (const id of ids) raisedXml = raisedXml.replaceAll(`numFmtId="${id}"`, `numFmtId="1000${id}"`);
  return raisedXml;
}

/** Adds a reference, such as `r="C7"`, to each row and cell without one: the place after the row or cell before it. */
function addReferences(xml: string): string {
  let row = 0;
  let column = 0;
  return xml.replaceAll(ROW_OR_CELL, (tag: string, name: string, element: string, attributes: string) => {
    const reference = REFERENCE.exec(attributes)?.[1];
    if (element === 'row') {
      row = reference === undefined ? row + 1 : Number(reference);
      column = 0;
    } else {
      column = reference === undefined ? column + 1 : parsePlace(reference).column;
    }
    if (reference !== undefined) return tag;
    const addedReference = element === 'row' ? row : formatCellName({ row, column });
    return `<${name} r="${addedReference}"${attributes}>`;
  });
}
