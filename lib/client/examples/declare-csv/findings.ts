import type { CellFormat } from './columns.ts';
import type { Encoding } from './decode.ts';
import type { FileColumn } from './headings.ts';
import type { Language, Text } from './language.ts';
import type { Separator } from './read-rows.ts';
import { fileTexts as texts } from './texts/file.ts';

/** How a file was understood. */
export interface Findings {
  readonly encoding: Encoding;
  readonly separator: Separator;
  readonly headings: readonly string[];
  /** What the column under each heading holds. */
  readonly names: readonly FileColumn[];
  readonly format: CellFormat;
}

/** How a file was understood, in a line or two: whoever knows the file sees at once what is wrong. */
export function describeFindings(findings: Findings, language: Language): string[] {
  const { encoding, separator, headings, names, format } = findings;
  const say = (said: readonly Text[]) => said.map((text) => text[language]).join(', ');
  const ofMark = { ',': texts.decimalComma, '.': texts.decimalPoint };
  const details = [
    texts.separators[separator],
    ...format.decimalMarks.map((mark) => ofMark[mark]),
    ...(format.amounts.proof ? [texts.thousandsPoint] : []),
    ...(format.dates.dayFirst ? [texts.dayFirst] : []),
  ];
  const pairs = headings.map((heading, index) => ({ heading, column: names[index] }));
  const columns = pairs.flatMap(({ heading, column }) => {
    if (column) return column === heading ? [] : [texts.foundIn(column, heading)];
    return heading === '' ? [] : [texts.leftOut(heading)];
  });
  return [texts.readAs(encoding, say(details))[language], ...(columns.length > 0 ? [`${say(columns)}.`] : [])];
}
