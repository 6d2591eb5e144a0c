import type { Language, Text } from '../domain/language.ts';
import type { Encoding } from './encoding.ts';
import type { FieldSpec } from './find-columns.ts';
import { type DecimalSign, findAmountStyle, type TextCell } from './read-amount.ts';
import { hasDaysFirst, type Style } from './read-cell.ts';
import type { Separator } from './read-csv.ts';
import { texts } from './spreadsheet-texts.ts';

/** How a file was understood. */
export interface Findings<Field extends string> {
  readonly origin:
    | { readonly encoding: Encoding; readonly separator: Separator }
    | { readonly sheet: string; readonly otherSheets: number };
  readonly headings: readonly string[];
  /** What the column under each heading holds; null: it is left out. */
  readonly fields: readonly (Field | null)[];
  readonly style: Style;
}

/** Finds how rows write amounts and dates, unless it is told. */
export function findStyle<Field extends string>(
  origin: Findings<Field>['origin'],
  fields: readonly (Field | null)[],
  specs: Readonly<Record<Field, FieldSpec>>,
  rows: readonly { readonly line: number; readonly cells: readonly unknown[] }[],
  { decimal, dayFirst }: { readonly decimal?: DecimalSign | undefined; readonly dayFirst?: boolean | undefined },
): Style {
  const cellsOf = (kind: FieldSpec['kind']): TextCell[] => {
    const columns = fields.flatMap((field, index) => (field && specs[field].kind === kind ? [index] : []));
    const cells = rows.flatMap(({ line, cells: all }) => columns.map((index) => ({ line, text: all[index] })));
    return cells.filter((cell): cell is TextCell => typeof cell.text === 'string');
  };
  // Where decimals have a comma, spreadsheets separate columns by something else.
  const mayHaveComma = !('separator' in origin && origin.separator === ',');
  return {
    amounts: findAmountStyle(cellsOf('amount'), { decimal, mayHaveComma }),
    dayFirst: dayFirst ?? hasDaysFirst(cellsOf('date').map(({ text }) => text)),
  };
}

/** How a file was understood, in a line or two: whoever knows the file sees at once what is wrong. */
export function describeFindings<Field extends string>(findings: Findings<Field>, language: Language): string[] {
  const { origin, headings, fields, style } = findings;
  const say = (said: readonly Text[]) => said.map((text) => text[language]).join(', ');
  const ofMark = { ',': texts.decimalComma, '.': texts.decimalPoint };
  const details = [
    ...style.amounts.marks.map((mark) => ofMark[mark]),
    ...(style.amounts.proof && !style.amounts.decimal ? [texts.thousandsPoint] : []),
    ...(style.dayFirst ? [texts.dayFirst] : []),
  ];
  const columns = headings.flatMap((heading, index) => {
    const field = fields[index];
    if (field) return field === heading ? [] : [texts.foundIn(field, heading)];
    return heading === '' ? [] : [texts.leftOut(heading)];
  });
  const named = columns.length > 0 ? [`${say(columns)}.`] : [];
  if ('encoding' in origin) {
    return [texts.readAs(origin.encoding, say([texts.separators[origin.separator], ...details]))[language], ...named];
  }
  const { sheet, otherSheets } = origin;
  const others = otherSheets > 0 ? [texts.otherSheets(otherSheets)] : [];
  const said = [...others, ...details].map((text) => `, ${text[language]}`).join('');
  return [texts.readSheet(sheet, said)[language], ...named];
}
