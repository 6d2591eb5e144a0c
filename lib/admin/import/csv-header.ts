import { type ColumnMap, headingOf } from './column-map.ts';
import { COMPUTED, FIELDS, recordSchema } from './record-schema.ts';
import { splitCells } from './split-cells.ts';

/** What the header of a CSV tells of the records below it. */
export interface CsvHeader {
  readonly separator: string;
  /** The field of each column; null: the column is left out. */
  readonly fields: readonly (string | null)[];
  /** The headings of the columns that are left out. */
  readonly leftOut: readonly string[];
}

const SEPARATORS = [',', ';', '\t'];
const OWN_NAMES: readonly string[] = [...FIELDS, ...COMPUTED];

/** Reads a header; else gives everything that is wrong with it, or null when a quote is out of place. */
export function readHeader(
  record: string,
  map: ColumnMap | undefined,
): CsvHeader | { readonly faults: readonly string[] } | null {
  const known = new Set([...OWN_NAMES, ...(map?.values() ?? [])]);
  const candidates = SEPARATORS.flatMap((separator) => {
    const cells = splitCells(record, separator)?.map(headingOf);
    return cells ? [{ separator, cells, hits: cells.filter((name) => known.has(name)).length }] : [];
  });
  const [best] = candidates.toSorted((a, b) => b.hits - a.hits);
  if (!best) return null;
  if (best.hits === 0) {
    return { faults: [`it names no column that is known, separated by commas, semicolons or tabs`] };
  }
  const { separator, cells } = best;
  const fieldOf = fieldsByHeading(map);
  const fields = cells.map((name) => fieldOf.get(name) ?? null);
  const leftOut = cells.filter((_, column) => fields[column] === null);
  const faults = [...doubled(cells, fields), ...missing(fields, map), ...(map ? [] : unknown(leftOut))];
  return faults.length > 0 ? { faults } : { separator, fields, leftOut };
}

function fieldsByHeading(map: ColumnMap | undefined): ReadonlyMap<string, string> {
  const own = OWN_NAMES.map((name): [string, string] => [name, name]);
  return new Map([...own, ...[...(map ?? [])].map(([field, heading]): [string, string] => [heading, field])]);
}

function doubled(cells: readonly string[], fields: readonly (string | null)[]): string[] {
  const byField = Map.groupBy(cells.keys(), (column) => fields[column] ?? null);
  return [...byField].flatMap(([field, columns]) => {
    if (field === null || columns.length === 1) return [];
    const headings = [...new Set(columns.map((column) => cells[column] ?? ''))];
    return headings.length === 1
      ? [`it names ${headings.join()} ${columns.length === 2 ? 'twice' : `${columns.length} times`}`]
      : [`it has ${headings.join(' and ')}, which are both ${field}`];
  });
}

function missing(fields: readonly (string | null)[], map: ColumnMap | undefined): string[] {
  const wanted = [...new Set([...recordSchema.required, ...(map?.keys() ?? [])])];
  const absent = wanted.filter((field) => !fields.includes(field));
  const named = absent.map((field) => (map?.has(field) ? `${map.get(field)} (${field})` : field));
  return absent.length > 0 ? [`it has no ${named.join(', ')}`] : [];
}

function unknown(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const shown = names.map((name) => name || '(a column without a name)');
  return [`it has ${shown.join(', ')}, and no field has such a name`];
}
