import { Big } from 'big.js';

// A part of a number format: a text in quotes, an escaped character, decimals, a place for a digit, and others.
const FORMAT_PART = /"([^"]*)"|\\(.)|(\.[0#?]*)|([0#?])|\[[^\]]*\]|[_*].|,/gs;

/** Finds the number formats of cell styles by the index of the style. Of the built-in formats, it finds percentages. */
export function findNumberFormats(stylesXml: string): ReadonlyMap<string, string> {
  const readAttribute = (tag: string, name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
  const definitions = stylesXml.match(/<(?:\w+:)?numFmt\s(?:[^>"]|"[^"]*")*>/g) ?? [];
  const formats = new Map(definitions.map((tag) => [readAttribute(tag, 'numFmtId'), readAttribute(tag, 'formatCode')]));
  const [, cellStyles = ''] = /<(?:\w+:)?cellXfs\b[^>]*>(.*?)<\/(?:\w+:)?cellXfs>/s.exec(stylesXml) ?? [];
  const styles = (cellStyles.match(/<(?:\w+:)?xf\b[^>]*>/g) ?? []).map((tag) => readAttribute(tag, 'numFmtId'));
  // The formats 9 and 10 are 0% and 0.00%.
  const findFormat = (id: string) => formats.get(id)?.replaceAll('&quot;', '"') ?? (/^(?:9|10)$/.test(id) ? '0%' : '');
  return new Map(styles.map((id, index) => [String(index), findFormat(id)]));
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
  // The format of a text, a date, an exponent or a fraction, or a number that cannot be an id.
  if (/[@a-z/]/i.test(otherCharacters) || number.startsWith('-')) return number;

  const [integer = '', decimals = ''] = number.split(/(?=\.)/);
  const places = Array.from(positiveFormat.matchAll(FORMAT_PART), ([, , , , place = '']) => place).join('');
  const digits = integer.padStart(places.replace(/^[#?]+/, '').length, '0').padStart(places.length);
  let end = 0;
  const fillPart = (_: string, text?: string, character?: string, point?: string, place?: string) => {
    if (!place) return point ? decimals : (text ?? character ?? '');
    const start = end;
    // The first place shows all digits that have no place of their own.
    end = start === 0 ? digits.length - places.length + 1 : start + 1;
    return digits.slice(start, end);
  };
  return positiveFormat.replaceAll(FORMAT_PART, fillPart).trim();
}
