const NUMBER_SIGN = /\.?[º°]/g; // the end of N.º
const WORD_START = /(?<=\p{Ll})(?=\p{Lu})/gu; // between Nro and Factura
const ACCENT = /\p{M}/gu; // a separate character after NFKD
const WORDS = /[a-z0-9]+|[%#]/g; // nro, factura, %
const ARTICLE = /^(?:de|del|la|el|of|the)$/;
const NUMBER_WORD = /^(?:n|nr|nro|num|numero|number|#)$/;

/**
 * Normalises a heading: case, accents, articles, the order of words, and the ways to write "number" do not matter.
 *
 * @example
 * normaliseHeading('NroFactura'); // factura no
 * normaliseHeading('N.º de factura'); // factura no
 */
export function normaliseHeading(heading: string): string {
  // The number sign is replaced first, because NFKD would change it to an "o".
  const separatedWords = heading.replaceAll(NUMBER_SIGN, ' ').replaceAll(WORD_START, ' ');
  const plainText = separatedWords.normalize('NFKD').replaceAll(ACCENT, '').toLowerCase();
  const words = (plainText.match(WORDS) ?? []).filter((word) => !ARTICLE.test(word));
  const sortedWords = words.map((word) => word.replace(NUMBER_WORD, 'no')).toSorted();
  return sortedWords.join(' ');
}
