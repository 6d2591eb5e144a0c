import { Big } from 'big.js';

// A part of a number format: "N.º " in quotes, an escaped character \-, decimals .0#, the place of a digit, a colour or
// a condition in brackets, a space or a repeated character, and the separator of thousands.
const FORMAT_PART = /"(?<quoted>[^"]*)"|\\(?<escaped>.)|(?<decimals>\.[0#?]*)|(?<place>[0#?])|\[[^\]]*\]|[_*].|,/gs;
type FormatPart = Readonly<Partial<Record<'quoted' | 'escaped' | 'decimals' | 'place', string>>>;

// What the format of a text, a date, an exponent or a fraction contains: @, d/m/yyyy, 0E+00, # ?/?.
const OTHER_KIND = /[@a-z/]/i;
const FORMAT_TAG = /<(?:\w+:)?numFmt\s(?:[^>"]|"[^"]*")*>/g;
const CELL_STYLES = /<(?:\w+:)?cellXfs\b[^>]*>(?<styles>.*?)<\/(?:\w+:)?cellXfs>/s;
const STYLE_TAG = /<(?:\w+:)?xf\b[^>]*>/g;
// The ids of the built-in formats 0% and 0.00%.
const BUILT_IN_PERCENTAGES = ['9', '10'];

/** Finds the number formats of cell styles by the index of the style. Of the built-in formats, it finds percentages. */
export function findNumberFormats(stylesXml: string): ReadonlyMap<string, string> {
  const formats = new Map(BUILT_IN_PERCENTAGES.map((id) => [id, '0%']));
  for (const tag of stylesXml.match(FORMAT_TAG) ?? []) {
    formats.set(readAttribute(tag, 'numFmtId'), readAttribute(tag, 'formatCode').replaceAll('&quot;', '"'));
  }
  const cellStyles = CELL_STYLES.exec(stylesXml)?.groups?.['styles'] ?? '';
  const styles = cellStyles.match(STYLE_TAG) ?? [];
  return new Map(styles.map((tag, index) => [String(index), formats.get(readAttribute(tag, 'numFmtId')) ?? '']));
}

function readAttribute(tag: string, name: string): string {
  return new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
}

/**
 * Formats a number as a cell shows it: 100001234 is 0001-00001234 with the format `0000\-00000000`, and 0.21 is 21%
 * with the format `0.0%`. Separators between thousands, and zeros at the end of decimals, are omitted.
 */
export function formatNumber(number: string, format: string): string {
  // Of several formats, the first one is that of positive numbers.
  const [positiveFormat = ''] = format.replace(/general/i, '0').split(';');
  const otherCharacters = positiveFormat.replaceAll(FORMAT_PART, '');
  if (otherCharacters.includes('%')) return `${new Big(number).times(100).toFixed()}%`;
  // A negative number cannot be an id, for which the shown digits matter.
  if (OTHER_KIND.test(otherCharacters) || number.startsWith('-')) return number;
  return fillPlaces(number, positiveFormat);
}

/** Fills the places of a format with the digits of a number. A `0` is filled even without a digit. */
function fillPlaces(number: string, format: string): string {
  const [integer = '', numberDecimals = ''] = number.split(/(?=\.)/);
  const places = Array.from(format.matchAll(FORMAT_PART), ({ groups }) => groups?.['place'] ?? '').join('');
  const zeroCount = places.replace(/^[#?]+/, '').length;
  const digits = integer.padStart(zeroCount, '0').padStart(places.length);
  let end = 0;
  const fillPart = (...match: readonly unknown[]) => {
    const { quoted, escaped, decimals, place } = match.at(-1) as FormatPart;
    if (decimals) return numberDecimals;
    if (!place) return quoted ?? escaped ?? '';
    const start = end;
    // The first place shows all digits that have no place of their own.
    end = start === 0 ? digits.length - places.length + 1 : start + 1;
    return digits.slice(start, end);
  };
  return format.replaceAll(FORMAT_PART, fillPart).trim();
}
