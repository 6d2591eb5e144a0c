import type { Text } from '../../domain/language.ts';
import { normaliseHeading } from './normalise-heading.ts';
import { type FieldKind, type SourceRow, toText } from './read-cell.ts';
import { ColumnsError } from './spreadsheet-error.ts';
import { texts } from './spreadsheet-texts.ts';

/** The number of rows in which the header is searched, because title rows can precede it. */
export const MAX_HEADER_ROWS = 20;

/** The kind of a field's values, and further headings that its column can have. */
export interface FieldSpec {
  readonly kind: FieldKind;
  readonly headings?: readonly string[];
}

/** The fields that the caller reads, and the options of its user about their columns. */
export interface ColumnOptions<Field extends string> {
  readonly fields: Readonly<Record<Field, FieldSpec>>;
  readonly required: readonly Field[];
  /** The headings for which the user names the field. If the field is null, the column is ignored. */
  readonly map?: readonly (readonly [field: Field | null, heading: string])[] | undefined;
  /** True if a column is ignored unless its heading is exactly the name of a field, or is in `map`. */
  readonly ignoresOtherColumns?: boolean | undefined;
  /** True if columns with unknown headings are ignored. */
  readonly ignoresUnknown?: boolean | undefined;
}

/** Finds the field of each column, which is null if the column is ignored. Throws a ColumnsError with every error. */
export function findColumns<Field extends string>(
  headings: readonly string[],
  options: ColumnOptions<Field>,
  place: Text | null,
): readonly (Field | null)[] {
  const { columns, mapErrors } = matchColumns(headings, options);
  const errors = mapErrors.length > 0 ? mapErrors : findColumnErrors(headings, columns, options);
  if (errors.length > 0) throw new ColumnsError(errors, place, { headings, fields: columns });
  return columns.map((field) => field ?? null);
}

function findColumnErrors<Field extends string>(
  headings: readonly string[],
  columns: readonly (Field | null | undefined)[],
  options: ColumnOptions<Field>,
): Text[] {
  const errors: Text[] = [];
  const unknownHeadings = headings.filter((_, index) => columns[index] === undefined);
  if (unknownHeadings.length > 0) errors.push(texts.unknownHeadings(joinQuoted(unknownHeadings)));
  for (const field of Object.keys(options.fields)) {
    const fieldHeadings = headings.filter((_, index) => columns[index] === field);
    if (fieldHeadings.length > 1) errors.push(texts.twoHeadings(field, joinQuoted(fieldHeadings)));
  }
  const missingFields = options.required.filter((field) => !columns.includes(field));
  const matches = headings.map((heading, index) => ({ heading, field: columns[index] })).filter(({ field }) => field);
  const matchTexts = matches.map(({ heading, field }) => `"${heading}" → ${field}`);
  if (missingFields.length > 0) errors.push(texts.missingFields(missingFields.join(', '), matchTexts.join(', ')));
  return errors;
}

/** Finds the header: the first row with all required fields (`isComplete`), or else the first with the most fields. */
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
 * Matches headings with fields: null if the column is ignored, and undefined if the heading is unknown. A heading such
 * as `Nro. Factura` can have several fields. Then its field is the first of these that has no other column.
 */
function matchColumns<Field extends string>(headings: readonly string[], options: ColumnOptions<Field>) {
  const { columns: mappedColumns, errors: mapErrors } = findMappedColumns(headings, options);
  const fieldsByHeading = indexFields(options);
  const ignoresUnknown = options.ignoresOtherColumns || options.ignoresUnknown;
  const candidates = headings.map((heading, index): readonly (Field | null)[] => {
    const mappedField = mappedColumns.get(index);
    if (mappedField !== undefined) return [mappedField];
    if (heading === '') return [null];
    const fields = fieldsByHeading.get(toLookupKey(heading, options));
    return fields ?? (ignoresUnknown ? [null] : []);
  });
  // The fields that have a column which can have no other field.
  const certainFields = new Set(candidates.filter((fields) => fields.length === 1).flat());
  // If all fields of a heading have other columns, `findColumnErrors` reports two columns for the first field.
  const columns = candidates.map((fields) => fields.find((field) => !certainFields.has(field)) ?? fields[0]);
  return { columns, mapErrors };
}

/** Finds the indexes of the columns that the user names, with the errors of these names. */
function findMappedColumns<Field extends string>(headings: readonly string[], { map = [] }: ColumnOptions<Field>) {
  const columns = new Map<number, Field | null>();
  const errors: Text[] = [];
  // A heading in the file can have line ends, where the user writes blanks.
  const normaliseBlanks = (heading: string) => heading.trim().normalize().replaceAll(/\s+/g, ' ');
  const normalisedHeadings = headings.map(normaliseBlanks);
  for (const [field, heading] of map) {
    const name = normaliseBlanks(heading);
    const index = normalisedHeadings.indexOf(name);
    if (index === -1) {
      errors.push(texts.notInFile(heading, joinQuoted(headings)));
    } else if (normalisedHeadings.lastIndexOf(name) !== index) {
      errors.push(texts.twoHeadings(`"${heading}"`, joinQuoted([name, name])));
    } else if (columns.has(index)) {
      errors.push(texts.namedTwice(heading));
    } else {
      columns.set(index, field);
    }
  }
  return { columns, errors };
}

/** Lists the fields of each known heading. A field for which the user names a heading has no other headings. */
function indexFields<Field extends string>(options: ColumnOptions<Field>): ReadonlyMap<string, readonly Field[]> {
  const { fields, map = [], ignoresOtherColumns } = options;
  const fieldsByHeading = new Map<string, Field[]>();
  for (const field of Object.keys(fields) as Field[]) {
    if (!ignoresOtherColumns && map.some(([mappedField]) => mappedField === field)) continue;
    const headings = ignoresOtherColumns ? [field] : [field, ...(fields[field].headings ?? [])];
    for (const key of new Set(headings.map((heading) => toLookupKey(heading, options)))) {
      fieldsByHeading.set(key, [...(fieldsByHeading.get(key) ?? []), field]);
    }
  }
  return fieldsByHeading;
}

function toLookupKey(heading: string, { ignoresOtherColumns }: ColumnOptions<string>): string {
  return ignoresOtherColumns ? heading : normaliseHeading(heading);
}

/** Lists names in quotes: `"Importe", "Fecha"`. */
export const joinQuoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ');
