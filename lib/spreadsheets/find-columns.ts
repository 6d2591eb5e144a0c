import type { Text } from '../domain/language.ts';
import { SpreadsheetError } from './spreadsheet-error.ts';
import { texts } from './spreadsheet-texts.ts';

/** How a field is written, and other headings by which it is known. */
export interface FieldSpec {
  /** `display`: the cell is only shown to people, so no content of it is an error. */
  readonly kind: 'text' | 'amount' | 'percentage' | 'date' | 'display';
  readonly headings?: readonly string[];
}

/** What a command wants of the columns of a file, and what it was told of them. */
export interface ColumnOptions<Field extends string> {
  readonly fields: Readonly<Record<Field, FieldSpec>>;
  readonly required: readonly Field[];
  /** The heading of a field, as it was told. */
  readonly map?: readonly (readonly [field: Field, heading: string])[] | undefined;
  /** Headings to leave out, as it was told. */
  readonly ignore?: readonly string[] | undefined;
  /** Whether only names of fields and mapped headings are known, and all other columns are left out. */
  readonly leavesOutOthers?: boolean | undefined;
}

/** Finds what each column holds (null: it is left out); throws a SpreadsheetError with all that is unclear. */
export function findColumns<Field extends string>(
  headings: readonly string[],
  options: ColumnOptions<Field>,
): readonly (Field | null)[] {
  const { fields, required, map = [], leavesOutOthers = false } = options;
  const names = Object.keys(fields) as Field[];
  const chosen = chosenColumns(headings, options);
  const isMapped = new Set(map.map(([field]) => field));
  const like = leavesOutOthers ? (heading: string) => heading.normalize() : plain;
  const known = new Map(
    names.flatMap((field) => {
      const others = leavesOutOthers ? [] : (fields[field].headings ?? []);
      return [field, ...others].map((heading) => [like(heading), field] as const);
    }),
  );
  const found = headings.map((heading, index): Field | null | undefined => {
    if (chosen.has(index)) return chosen.get(index);
    if (heading === '') return null;
    const field = known.get(like(heading));
    if (field !== undefined && !(isMapped.has(field) && !leavesOutOthers)) return field;
    return leavesOutOthers ? null : undefined;
  });
  if (!found.some((field) => field)) throw new SpreadsheetError(texts.noHeading(names.join(', ')));
  const unknownText = options.ignore ? texts.unknownOrIgnored : texts.unknownHeadings;
  const unknown = headings.filter((_, index) => found[index] === undefined);
  const missing = required.filter((field) => !found.includes(field));
  const faults = [
    ...(unknown.length > 0 ? [unknownText(listed(unknown))] : []),
    ...names.flatMap((field) => {
      const same = headings.filter((_, index) => found[index] === field);
      return same.length > 1 ? [texts.twoHeadings(field, listed(same))] : [];
    }),
    ...(missing.length > 0 ? [texts.missingFields(missing.join(', '))] : []),
  ];
  throwAll(faults);
  return found as readonly (Field | null)[];
}

function chosenColumns<Field extends string>(
  headings: readonly string[],
  { map = [], ignore = [] }: ColumnOptions<Field>,
): ReadonlyMap<number, Field | null> {
  const chosen = new Map<number, Field | null>();
  const faults: Text[] = [];
  const choose = (heading: string, field: Field | null, option: string) => {
    const index = indexOf(headings, heading);
    if (index === -1) faults.push(texts.notInFile(option, heading, listed(headings)));
    else if (chosen.has(index)) faults.push(texts.namedTwice(heading));
    else chosen.set(index, field);
  };
  for (const [field, heading] of map) choose(heading, field, '--map');
  for (const heading of ignore) choose(heading, null, '--ignore');
  throwAll(faults);
  return chosen;
}

function throwAll(faults: readonly Text[]): void {
  const [first, ...others] = faults;
  if (!first) return;
  const join = (all: Text, { en, es }: Text) => ({ en: `${all.en} ${en}`, es: `${all.es} ${es}` });
  throw new SpreadsheetError(others.reduce(join, first));
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

/** A heading without what does not matter: case, accents, articles and ways to write "number". */
function plain(heading: string): string {
  const words = heading
    // The sign of "N.º", which would become an "o".
    .replaceAll(/\.?[º°]/g, ' ')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+|%/g);
  return (words ?? [])
    .filter((word) => !/^(?:de|del|la|el|of|the)$/.test(word))
    .map((word) => word.replace(/^(?:n|nro|num|numero|number)$/, 'no'))
    .join(' ');
}

const listed = (headings: readonly string[]) => headings.map((heading) => `"${heading}"`).join(', ');
