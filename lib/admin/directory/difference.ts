import { isDeepStrictEqual } from 'node:util';
import { isDecimal } from '../../domain/money.ts';
import type { RecordChange } from '../../storage/directory-records.ts';
import type { Attributes } from '../../storage/directory-writer.ts';

type Value = string | number | boolean | readonly string[] | null;

/** A property that changes; null: it is not there. What a password was or becomes is never told. */
export type PropertyChange =
  { readonly property: 'password' } | { readonly property: string; readonly before: Value; readonly after: Value };

/** The properties of a record that a change makes other than they were; none when the record is new. */
export function differenceOf({ before, after }: RecordChange): PropertyChange[] {
  if (!before || !after) return [];
  const [was, becomes] = [flat(before), flat(after)];
  const properties = [...new Set([...was.keys(), ...becomes.keys()])];
  return properties
    .map((property) => ({ property, before: was.get(property) ?? null, after: becomes.get(property) ?? null }))
    .filter((change) => !isDeepStrictEqual(change.before, change.after));
}

/** A change of a property as people read it. */
export function lineOf(change: PropertyChange): string {
  if (!('before' in change)) return `${change.property}: changed`;
  return `${change.property}: ${textOf(change.before)} -> ${textOf(change.after)}`;
}

/** The properties of a record that are there, those of its parts as `part.property`. */
function flat(attributes: Attributes): Map<string, Value> {
  const pairs = Object.entries(attributes).flatMap(([name, value]): [string, Value][] => {
    if (value === undefined) return [];
    if (isDecimal(value)) return [[name, value.toNumber()]];
    if (typeof value !== 'object' || Array.isArray(value)) return [[name, value as Value]];
    return [...flat(value as Attributes)].map(([inner, part]) => [`${name}.${inner}`, part]);
  });
  return new Map(pairs);
}

function textOf(value: Value): string {
  const text = typeof value === 'object' ? (value ?? []).join(', ') : String(value);
  return text === '' ? '(none)' : text;
}
