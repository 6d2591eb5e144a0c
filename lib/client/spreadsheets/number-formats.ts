const FORMAT_TAG = /<(?:\w+:)?numFmt\s(?:[^>"]|"[^"]*")*>/g;
const CELL_STYLES = /<(?:\w+:)?cellXfs\b[^>]*>(?<styles>.*?)<\/(?:\w+:)?cellXfs>/s;
const STYLE_TAG = /<(?:\w+:)?xf\b[^>]*>/g;
// The ids of the built-in formats 0% and 0.00%.
const BUILT_IN_PERCENTAGES = ['9', '10'];

// A part that shows no character of its own: a colour such as [Red], a space as wide as the next character such as `_-`.
const INVISIBLE_PART = /\[[^\]]*\]|[_*]./g;
const LITERAL_TEXT = /"[^"]*"|\\./g; // "FC ", \-
// The formats of texts, exponents and fractions: General, @, 0E+00, # ?/?.
const OTHER_KIND = /[@a-z/]/i;
// The places of digits, of which a 0 is shown even without a digit: 0, #,##0.00, 0000000.
const PLAIN_NUMBER = /^[#?,]*(?<zeros>[0,]*)(?:\.[0#?]*)?$/;

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

/** True if a format shows a fraction as a percentage: 0.21 as 21% with the format `0.0%`. */
export function isPercentageFormat(format: string): boolean {
  return selectPositiveFormat(format).replaceAll(LITERAL_TEXT, '').includes('%');
}

/**
 * True if a format shows other characters than the digits of a number: 80101 as 0080101 with the format `0000000`, or
 * 100001234 as 0001-00001234. Separators between thousands do not count.
 */
export function showsOtherDigits(number: string, format: string): boolean {
  const shownFormat = selectPositiveFormat(format).replaceAll(INVISIBLE_PART, '');
  if (shownFormat.search(LITERAL_TEXT) !== -1) return true;
  if (OTHER_KIND.test(shownFormat)) return false;
  const zeros = PLAIN_NUMBER.exec(shownFormat)?.groups?.['zeros'];
  if (zeros === undefined) return true;
  const [integer = ''] = number.split('.');
  return integer.length < zeros.replaceAll(',', '').length;
}

/** Selects the first format of several, which is the format of positive numbers. */
function selectPositiveFormat(format: string): string {
  return format.split(';', 1)[0] ?? '';
}
