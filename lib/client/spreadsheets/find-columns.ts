import type { Language, Text } from '../../domain/language.ts';
import { type FieldKind, type SourceRow, toText } from './read-cell.ts';
import { ColumnsError } from './spreadsheet-error.ts';
import { texts } from './spreadsheet-texts.ts';

/** The kind of a field's values, and further headings that its column can have. */
export interface FieldSpec {
  readonly kind: FieldKind;
  readonly headings?: readonly string[];
}

/** The columns that a command expects, and the options of its user about them. */
export interface ColumnOptions<Field extends string> {
  readonly fields: Readonly<Record<Field, FieldSpec>>;
  readonly required: readonly Field[];
  /** The headings of fields, from the option `--map`. */
  readonly map?: readonly (readonly [field: Field, heading: string])[] | undefined;
  /** The headings of ignored columns, from the option `--ignore`. */
  readonly ignore?: readonly string[] | undefined;
  /** True if only names of fields and mapped headings are known, and all other columns are ignored. */
  readonly leavesOutOthers?: boolean | undefined;
}

/**
 * Finds the field of each column (null: the column is ignored). Throws a ColumnsError with every error, after the place
 * of the headings in the file unless it is null.
 */
export function findColumns<Field extends string>(
  headings: readonly string[],
  options: ColumnOptions<Field>,
  place: Text | null,
): readonly (Field | null)[] {
  const throwAll = (all: readonly Text[]) => {
    const join = (language: Language) => (place?.[language] ?? '') + all.map((text) => text[language]).join(' ');
    if (all.length > 0) throw new ColumnsError({ en: join('en'), es: join('es') });
  };
  const names = Object.keys(options.fields) as Field[];
  const { found, errors } = matchColumns(headings, options);
  throwAll(errors);
  if (!found.some((field) => field)) throwAll([texts.noHeading(names.join(', '))]);
  const unknownText = options.ignore ? texts.unknownOrIgnored : texts.unknownHeadings;
  const unknown = headings.filter((_, index) => found[index] === undefined);
  const missing = options.required.filter((field) => !found.includes(field));
  throwAll([
    ...(unknown.length > 0 ? [unknownText(joinQuoted(unknown))] : []),
    ...names.flatMap((field) => {
      const same = headings.filter((_, index) => found[index] === field);
      return same.length > 1 ? [texts.twoHeadings(field, joinQuoted(same))] : [];
    }),
    ...(missing.length > 0 ? [texts.missingFields(missing.join(', '))] : []),
  ]);
  return found as readonly (Field | null)[];
}

/** The number of rows in which the header is searched: title rows may precede it. */
const MAX_HEADER_ROWS = 20;

/** Finds the header among rows: the first row with all required fields, else the first row with the most fields. */
export function findHeader<Field extends string>(rows: readonly SourceRow[], options: ColumnOptions<Field>) {
  const known = rows.slice(0, MAX_HEADER_ROWS).map(({ cells }) => {
    const headings = cells.map((cell) => toText(cell).trim());
    return new Set(matchColumns(headings, options).found.filter((field) => field));
  });
  const complete = known.findIndex((fields) => options.required.every((field) => fields.has(field)));
  if (complete !== -1) return { index: complete, isComplete: true };
  const sizes = known.map(({ size }) => size);
  return { index: Math.max(0, sizes.indexOf(Math.max(...sizes))), isComplete: false };
}

/**
 * Matches headings with fields (null: the column is ignored; undefined: the heading is not known). If several fields
 * have a heading (Nro. Factura), it is the first field that is not certainly another column.
 */
function matchColumns<Field extends string>(headings: readonly string[], options: ColumnOptions<Field>) {
  const { fields, map = [], ignore = [], leavesOutOthers = false } = options;
  // The columns that the user names in options.
  const chosen = new Map<number, Field | null>();
  const errors: Text[] = [];
  const choose = (heading: string, field: Field | null, option: string) => {
    const index = findHeading(headings, heading);
    if (index === -1) errors.push(texts.notInFile(option, heading, joinQuoted(headings)));
    else if (chosen.has(index)) errors.push(texts.namedTwice(heading));
    else chosen.set(index, field);
  };
  for (const [field, heading] of map) choose(heading, field, '--map');
  for (const heading of ignore) choose(heading, null, '--ignore');

  const names = Object.keys(fields) as Field[];
  const isMapped = new Set(map.map(([field]) => field));
  const normalise = leavesOutOthers ? (heading: string) => heading.normalize() : normaliseHeading;
  const known = new Map<string, Field[]>();
  for (const field of names) {
    if (isMapped.has(field) && !leavesOutOthers) continue;
    const all = [field, ...(leavesOutOthers ? [] : (fields[field].headings ?? []))];
    for (const heading of new Set(all.map(normalise))) known.set(heading, [...(known.get(heading) ?? []), field]);
  }
  const candidates = headings.map((heading, index): readonly (Field | null)[] => {
    const choice = chosen.get(index);
    if (choice !== undefined) return [choice];
    if (heading === '') return [null];
    return known.get(normalise(heading)) ?? (leavesOutOthers ? [null] : []);
  });
  const certain = new Set(candidates.flatMap((all) => (all.length === 1 ? all : [])));
  const found = candidates.map((all) => all.find((field) => all.length === 1 || !certain.has(field)) ?? all[0]);
  return { found, errors };
}

// Comparisons that are tried in order: without regard to case, then to accents.
const COLLATORS = (['accent', 'base'] as const).map((sensitivity) => new Intl.Collator('en', { sensitivity }));

/** Finds the heading that the user names in an option; spaces do not matter. Returns -1 if no heading matches. */
function findHeading(headings: readonly string[], heading: string): number {
  const [wanted = '', ...candidates] = [heading, ...headings].map((text) => text.replaceAll(/\s/g, ''));
  const indexes = COLLATORS.map(({ compare }) => candidates.findIndex((text) => compare(text, wanted) === 0));
  return [headings.indexOf(heading), ...indexes].find((index) => index !== -1) ?? -1;
}

/** Normalises a heading: case, accents, articles, the order of words, and the ways to write "number" do not matter. */
function normaliseHeading(heading: string): string {
  const words = heading
    // NFKD would change the sign of "N.º" to an "o".
    .replaceAll(/\.?[º°]/g, ' ')
    // NroFactura
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+|[%#]/g);
  return (words ?? [])
    .filter((word) => !/^(?:de|del|la|el|of|the)$/.test(word))
    .map((word) => word.replace(/^(?:n|nr|nro|num|numero|number|#)$/, 'no'))
    .toSorted()
    .join(' ');
}

export const joinQuoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ');
