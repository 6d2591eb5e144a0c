import { type Column, columnNames, requiredColumns } from './columns.ts';
import { columnNamed } from './known-headings.ts';
import type { Text } from './language.ts';
import type { Row } from './read-rows.ts';
import { fileTexts } from './texts/file.ts';
import { UsageError } from './usage-error.ts';

/** What the command line says of columns: the heading of a field, and headings to leave out. */
export interface HeadingChoice {
  readonly map: readonly (readonly [column: Column, heading: string])[];
  readonly ignore: readonly string[];
}

/** What a column of the file holds; null: it is left out. */
export type FileColumn = Column | null;

/** Finds what each column holds, by what was chosen and then by its heading; throws a UsageError when it is unclear. */
export function judgeHeadings(
  headings: readonly string[],
  body: readonly Row[],
  choice: HeadingChoice,
): readonly FileColumn[] {
  if (headings.length === 0) throw new UsageError(fileTexts.noHeading(columnNames.join(', ')));
  const chosen = chosenColumns(headings, choice);
  const isMapped = new Set(choice.map.map(([column]) => column));
  const found = headings.map((heading, index): FileColumn | undefined => {
    if (chosen.has(index)) return chosen.get(index);
    if (heading === '') return null;
    const column = columnNamed(heading);
    return column !== undefined && isMapped.has(column) ? undefined : column;
  });
  if (!found.some((column) => column)) throw new UsageError(fileTexts.noHeading(columnNames.join(', ')));
  for (const [index, heading] of headings.entries()) {
    if (heading === '' && !chosen.has(index)) checkEmpty(index, body);
  }
  return checked(found, headings);
}

function checked(found: readonly (FileColumn | undefined)[], headings: readonly string[]): readonly FileColumn[] {
  const unknown = headings.filter((_, index) => found[index] === undefined);
  if (unknown.length > 0) throw new UsageError(unknownText(unknown));
  for (const column of columnNames) {
    const same = headings.filter((_, index) => found[index] === column);
    if (same.length > 1) throw new UsageError(fileTexts.twoHeadings(column, listed(same)));
  }
  const missing = requiredColumns.filter((column) => !found.includes(column));
  if (missing.length > 0) throw new UsageError(fileTexts.missingFields(missing.join(', ')));
  return found as readonly FileColumn[];
}

/** All at once: a file of a program may have many. */
function unknownText(headings: readonly string[]): Text {
  if (headings.length === 1) return fileTexts.unknownHeading(headings[0] ?? '');
  return fileTexts.unknownHeadings(listed(headings), headings.map((heading) => `--ignore "${heading}"`).join(' '));
}

function chosenColumns(headings: readonly string[], { map, ignore }: HeadingChoice): Map<number, FileColumn> {
  const twice = map.find(([column], index) => map.some(([other], before) => before < index && other === column));
  if (twice) throw new UsageError(fileTexts.mappedTwice(twice[0]));
  const chosen = new Map<number, FileColumn>();
  const choose = (heading: string, column: FileColumn, option: string) => {
    const index = indexOf(headings, heading);
    if (index === -1) throw new UsageError(fileTexts.notInFile(option, heading, listed(headings)));
    if (chosen.has(index)) throw new UsageError(fileTexts.namedTwice(heading));
    chosen.set(index, column);
  };
  for (const [column, heading] of map) choose(heading, column, '--map');
  for (const heading of ignore) choose(heading, null, '--ignore');
  return chosen;
}

// In what a heading may differ from its name on the command line: first in nothing, then in more and more.
const LIKENESSES: readonly ((heading: string) => string)[] = [
  (heading) => heading,
  (heading) => heading.normalize().trim().replaceAll(/\s+/g, ' ').toLowerCase(),
  (heading) =>
    heading
      .normalize('NFD')
      .replaceAll(/\p{M}|\s/gu, '')
      .toLowerCase(),
];

function indexOf(headings: readonly string[], heading: string): number {
  const found = LIKENESSES.map((like) => headings.findIndex((other) => like(other) === like(heading)));
  return found.find((index) => index !== -1) ?? -1;
}

/** Spreadsheets write columns that were once used, and are empty now. */
function checkEmpty(index: number, body: readonly Row[]): void {
  const filled = body.find(({ cells }) => cells[index]);
  if (filled) throw new UsageError(fileTexts.unnamedColumn(index + 1, filled.line));
}

const listed = (headings: readonly string[]) => headings.map((heading) => `"${heading}"`).join(', ');
