import type { Language, Text } from '../../domain/language.ts';
import type { Encoding } from './encoding.ts';
import type { FieldSpec } from './find-columns.ts';
import { type DecimalSign, findAmountStyle, type TextCell } from './read-amount.ts';
import { hasDaysFirst, type Style } from './read-cell.ts';
import type { Separator } from './read-csv.ts';
import { texts } from './spreadsheet-texts.ts';

interface SheetOrigin {
  readonly sheet: string;
  /** Its position among all sheets; the first is 1. */
  readonly position: number;
  readonly sheets: number;
  /** The number of hidden rows below the header. They are read like all others. */
  readonly hiddenRows: number;
}

export interface DetectedFormat<Field extends string> {
  readonly origin: { readonly encoding: Encoding; readonly separator: Separator } | SheetOrigin;
  /** The line of the headings if title rows precede it; null if it is the first row. */
  readonly headerLine: number | null;
  readonly headings: readonly string[];
  /** The field of the column under each heading; null: the column is ignored. */
  readonly fields: readonly (Field | null)[];
  readonly style: Style;
}

/** Finds the style of amounts and dates in rows, unless options give it. */
export function findStyle<Field extends string>(
  origin: DetectedFormat<Field>['origin'],
  fields: readonly (Field | null)[],
  specs: Readonly<Record<Field, FieldSpec>>,
  rows: readonly { readonly line: number; readonly cells: readonly unknown[] }[],
  { decimal, dayFirst }: { readonly decimal?: DecimalSign | undefined; readonly dayFirst?: boolean | undefined },
): Style {
  const findCells = (kind: FieldSpec['kind']): TextCell[] => {
    const columns = fields.flatMap((field, index) => (field && specs[field].kind === kind ? [index] : []));
    const cells = rows.flatMap(({ line, cells: all }) => columns.map((index) => ({ line, text: all[index] })));
    return cells.filter((cell): cell is TextCell => typeof cell.text === 'string');
  };
  // Spreadsheet programs never separate columns by commas if decimals have a comma.
  const mayHaveComma = !('separator' in origin && origin.separator === ',');
  return {
    amounts: findAmountStyle(findCells('amount'), { decimal, mayHaveComma }),
    dayFirst: dayFirst ?? hasDaysFirst(findCells('date').map(({ text }) => text)),
  };
}

/** Describes the detected format in one or two lines, so that the user can recognise a wrong detection. */
export function describeFormat<Field extends string>(detected: DetectedFormat<Field>, language: Language): string[] {
  const { origin, headerLine, headings, fields, style } = detected;
  const toSentence = (parts: readonly Text[]) => `${parts.map((text) => text[language]).join(', ')}.`;
  const markTexts = { ',': texts.decimalComma, '.': texts.decimalPoint };
  const format = [
    ...('sheet' in origin
      ? [texts.readSheet(origin.sheet)]
      : [texts.readAs(origin.encoding), texts.separators[origin.separator]]),
    ...('sheet' in origin && origin.sheets > 1 ? [texts.otherSheets(origin.position, origin.sheets)] : []),
    ...(headerLine !== null ? [texts.headerLine(headerLine)] : []),
    ...style.amounts.marks.map((mark) => markTexts[mark]),
    ...(style.amounts.proof && !style.amounts.decimal ? [texts.thousandsPoint] : []),
    ...(style.dayFirst ? [texts.dayFirst] : []),
    ...('sheet' in origin && origin.hiddenRows > 0 ? [texts.hiddenRows(origin.hiddenRows)] : []),
  ];
  const columns = headings.flatMap((heading, index) => {
    const field = fields[index];
    if (field) return field === heading ? [] : [texts.foundIn(field, heading)];
    return heading === '' ? [] : [texts.leftOut(heading)];
  });
  return [format, columns].filter((parts) => parts.length > 0).map(toSentence);
}
