import { isDeepStrictEqual } from 'node:util';
import { isDecimal } from '../../domain/money.ts';
import type { Attributes, RecordChange } from '../ports/directory-records.ts';

/** The value of a property; null: it is not there. */
export type PropertyValue = string | number | boolean | readonly string[] | null;

/** A property that changes; null: it is not there. What a password was or becomes is never told. */
export type PropertyChange =
  | { readonly property: 'password' }
  | { readonly property: string; readonly before: PropertyValue; readonly after: PropertyValue };

/** The properties of a record that a change makes other than they were; none when the record is new. */
export function differenceOf({ before, after }: RecordChange): PropertyChange[] {
  if (!before || !after) return [];
  const [was, becomes] = [flat(before), flat(after)];
  const properties = [...new Set([...was.keys(), ...becomes.keys()])];
  return properties
    .map((property) => ({ property, before: was.get(property) ?? null, after: becomes.get(property) ?? null }))
    .filter((change) => !isDeepStrictEqual(change.before, change.after));
}

/** The properties of a record that are there, those of its parts as `part.property`. */
function flat(attributes: Attributes): Map<string, PropertyValue> {
  const pairs = Object.entries(attributes).flatMap(([name, value]): [string, PropertyValue][] => {
    if (value === undefined) return [];
    if (isDecimal(value)) return [[name, value.toNumber()]];
    if (typeof value !== 'object' || Array.isArray(value)) return [[name, value as PropertyValue]];
    return [...flat(value as Attributes)].map(([inner, part]) => [`${name}.${inner}`, part]);
  });
  return new Map(pairs);
}
