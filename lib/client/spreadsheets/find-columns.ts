import type { Text } from '../../domain/language.ts';
import { type FieldKind, type SourceRow, toText } from './read-cell.ts';
import { formatCellName } from './scan-sheet.ts';
import { ColumnsError } from './spreadsheet-error.ts';
import { texts } from './spreadsheet-texts.ts';

// Case and accents do not matter.
const COLLATOR = new Intl.Collator('en', { sensitivity: 'base' });
const NUMBER_SIGN = /\.?[º°]/g; // the end of N.º
const WORD_START = /(?<=\p{Ll})(?=\p{Lu})/gu; // between Nro and Factura
const ACCENT = /\p{M}/gu; // a separate character after NFKD
const WORDS = /[a-z0-9]+|[%#]/g; // nro, factura, %
const ARTICLE = /^(?:de|del|la|el|of|the)$/;
const NUMBER_WORD = /^(?:n|nr|nro|num|numero|number|#)$/;

/** The number of rows in which the header is searched, because title rows can precede it. */
export const MAX_HEADER_ROWS = 20;

/** The kind of a field's values, and further headings that its column can have. */
export interface FieldSpec {
  readonly kind: FieldKind;
  readonly headings?: readonly string[];
}

/** The columns that a command expects, and the options of its user about them. */
export interface ColumnOptions<Field extends string> {
  readonly fields: Readonly<Record<Field, FieldSpec>>;
  readonly required: readonly Field[];
  /** The field of each heading that the user names; the column is ignored if the field is null. */
  readonly map?: readonly (readonly [field: Field | null, heading: string])[] | undefined;
  /** True if a column is ignored unless its heading is exactly the name of a field, or is in `map`. */
  readonly ignoresOtherColumns?: boolean | undefined;
  /** True if columns with unknown headings, or without a heading, are ignored. */
  readonly ignoresUnknown?: boolean | undefined;
}

/**
 * Finds the field of each column, which is null if the column is ignored. Throws a ColumnsError with every error, whose
 * message begins with the place of the headings in the file unless it is null. `line` is the line of the headings.
 */
export function findColumns<Field extends string>(
  headings: readonly string[],
  options: ColumnOptions<Field>,
  line: number,
  place: Text | null,
): readonly (Field | null)[] {
  const { columns, errors: optionErrors } = matchColumns(headings, options, line);
  const errors = optionErrors.length > 0 ? optionErrors : findColumnErrors(headings, columns, options, line);
  if (errors.length > 0) throw new ColumnsError(errors, place, { headings, fields: columns });
  return columns as readonly (Field | null)[];
}

function findColumnErrors<Field extends string>(
  headings: readonly string[],
  columns: readonly (Field | null | undefined)[],
  options: ColumnOptions<Field>,
  line: number,
): Text[] {
  const errors: Text[] = [];
  const unknownHeadings = headings.filter((_, index) => columns[index] === undefined);
  if (unknownHeadings.length > 0) errors.push(texts.unknownHeadings(joinQuoted(unknownHeadings)));
  for (const field of Object.keys(options.fields)) {
    const indexes = [...headings.keys()].filter((index) => columns[index] === field);
    if (indexes.length > 1) errors.push(texts.twoHeadings(field, joinWithCells(headings, indexes, line)));
  }
  const missingFields = options.required.filter((field) => !columns.includes(field));
  const foundFields = columns.flatMap((field, index) => (field ? [`"${headings[index]}" → ${field}`] : []));
  if (missingFields.length > 0) errors.push(texts.missingFields(missingFields.join(', '), foundFields.join(', ')));
  return errors;
}

/** Finds the header among rows: the first row with all required fields, or else the first row with the most fields. */
export function findHeader<Field extends string>(rows: readonly SourceRow[], options: ColumnOptions<Field>) {
  const fieldsOfRows = rows.slice(0, MAX_HEADER_ROWS).map(({ cells }) => findFields(cells.map(toText), options));
  const completeIndex = fieldsOfRows.findIndex((fields) => options.required.every((field) => fields.has(field)));
  if (completeIndex !== -1) return { index: completeIndex, isComplete: true };
  const fieldCounts = fieldsOfRows.map(({ size }) => size);
  const richestIndex = fieldCounts.indexOf(Math.max(...fieldCounts));
  // A file without rows has the index -1.
  return { index: Math.max(0, richestIndex), isComplete: false };
}

/** Finds the fields whose headings are among the texts of a row. */
export function findFields<Field extends string>(cells: readonly string[], options: ColumnOptions<Field>) {
  const headings = cells.map((text) => text.trim());
  return new Set(matchColumns(headings, options).columns.filter((field) => field));
}

/**
 * Matches headings with fields: null if the column is ignored, and undefined if the heading is unknown. Several fields
 * can have the same heading, such as `Nro. Factura`. Its column is the first of these fields that has no other column.
 */
function matchColumns<Field extends string>(headings: readonly string[], options: ColumnOptions<Field>, line = 1) {
  const { columns: chosenColumns, errors } = findChosenColumns(headings, options, line);
  const fieldsByHeading = indexFields(options);
  const ignoresUnknown = options.ignoresOtherColumns || options.ignoresUnknown;
  const candidates = headings.map((heading, index): readonly (Field | null)[] => {
    const chosenField = chosenColumns.get(index);
    if (chosenField !== undefined) return [chosenField];
    if (heading === '') return [null];
    const fields = fieldsByHeading.get(normaliseHeading(heading, options));
    return fields ?? (ignoresUnknown ? [null] : []);
  });
  const certainFields = new Set(candidates.filter(({ length }) => length === 1).flat());
  // If each of its fields has another column, a column is reported as the second one of its first field.
  const columns = candidates.map((fields) => fields.find((field) => !certainFields.has(field)) ?? fields[0]);
  return { columns, errors };
}

/** Finds the indexes of the columns that the user names, with the errors of these names. */
function findChosenColumns<Field extends string>(
  headings: readonly string[],
  { map = [] }: ColumnOptions<Field>,
  line: number,
) {
  const columns = new Map<number, Field | null>();
  const errors: Text[] = [];
  for (const [field, heading] of map) {
    const [index, ...otherIndexes] = findHeadings(headings, heading);
    if (index === undefined) {
      errors.push(texts.notInFile(heading, joinQuoted(headings)));
    } else if (otherIndexes.length > 0) {
      const columnNames = joinWithCells(headings, [index, ...otherIndexes], line);
      errors.push(texts.twoHeadings(`"${heading}"`, columnNames));
    } else if (columns.has(index)) {
      errors.push(texts.namedTwice(heading));
    } else {
      columns.set(index, field);
    }
  }
  return { columns, errors };
}

/** Finds the indexes of the headings that equal a name exactly, or else without spaces, case and accents. */
function findHeadings(headings: readonly string[], namedHeading: string): readonly number[] {
  const removeSpaces = (text: string) => text.replaceAll(/\s/g, '');
  const compactName = removeSpaces(namedHeading);
  const isNamed = (heading: string) => COLLATOR.compare(removeSpaces(heading), compactName) === 0;
  const indexes = headings.flatMap((heading, index) => (isNamed(heading) ? [index] : []));
  const exactIndexes = indexes.filter((index) => headings[index] === namedHeading);
  return exactIndexes.length > 0 ? exactIndexes : indexes;
}

/** Lists the fields of each known heading. A field that the user maps has no other headings. */
function indexFields<Field extends string>(options: ColumnOptions<Field>): ReadonlyMap<string, readonly Field[]> {
  const { fields, map = [], ignoresOtherColumns } = options;
  const fieldsByHeading = new Map<string, Field[]>();
  for (const field of Object.keys(fields) as Field[]) {
    if (!ignoresOtherColumns && map.some(([mappedField]) => mappedField === field)) continue;
    const headings = ignoresOtherColumns ? [field] : [field, ...(fields[field].headings ?? [])];
    for (const heading of new Set(headings.map((text) => normaliseHeading(text, options)))) {
      fieldsByHeading.set(heading, [...(fieldsByHeading.get(heading) ?? []), field]);
    }
  }
  return fieldsByHeading;
}

/**
 * Normalises a heading: case, accents, articles, the order of words, and the ways to write "number" do not matter.
 * `NroFactura` and `N.º de factura` become `factura no`. With `ignoresOtherColumns`, only Unicode is normalised.
 */
function normaliseHeading(
  heading: string,
  { ignoresOtherColumns }: Pick<ColumnOptions<string>, 'ignoresOtherColumns'>,
) {
  if (ignoresOtherColumns) return heading.normalize();
  // The number sign is replaced first, because NFKD would change it to an "o".
  const separatedWords = heading.replaceAll(NUMBER_SIGN, ' ').replaceAll(WORD_START, ' ');
  const plainText = separatedWords.normalize('NFKD').replaceAll(ACCENT, '').toLowerCase();
  const words = (plainText.match(WORDS) ?? []).filter((word) => !ARTICLE.test(word));
  return words
    .map((word) => word.replace(NUMBER_WORD, 'no'))
    .toSorted()
    .join(' ');
}

/** Lists names in quotes: `"Importe", "Fecha"`. */
export const joinQuoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ');

/** Lists headings with their cells: `"Importe" (B1), "Importe" (C1)`. */
function joinWithCells(headings: readonly string[], indexes: readonly number[], line: number): string {
  const formatHeading = (index: number) => `"${headings[index]}" (${formatCellName({ row: line, column: index + 1 })})`;
  return indexes.map(formatHeading).join(', ');
}
