import type { PropertyFault } from '../domain/errors.ts';
import type { FieldNames } from './protocol.ts';

/** Converts a legacy request to the current names; fields that the operation does not have are left out. */
export function toCurrentNames(input: unknown, names: FieldNames): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  const fields = input as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(names)
      .filter(([legacyName]) => Object.hasOwn(fields, legacyName))
      .map(([legacyName, name]) => {
        const value = fields[legacyName];
        if (typeof name === 'string') return [name, value];
        const [listName, itemNames] = name;
        return [listName, Array.isArray(value) ? value.map((item) => toCurrentNames(item, itemNames)) : value];
      }),
  );
}

/** Converts the property of an error, also in its texts, to its legacy name: `declarations[3].amount` to `Declaraciones[3].Importe`. */
export function toLegacyFault({ property, constraints }: PropertyFault, names: FieldNames): PropertyFault {
  const legacyProperty = legacyPath(property, names);
  const rename = (text: string) => (text.startsWith(property) ? legacyProperty + text.slice(property.length) : text);
  const renamed = Object.entries(constraints).map(([constraint, { en, es }]) => [
    constraint,
    { en: rename(en), es: rename(es) },
  ]);
  return { property: legacyProperty, constraints: Object.fromEntries(renamed) };
}

function legacyPath(path: string, names: FieldNames): string {
  for (const [legacyName, name] of Object.entries(names)) {
    const [field, items = {}] = typeof name === 'string' ? [name] : name;
    if (path !== field && !path.startsWith(`${field}[`)) continue;
    return legacyName + path.slice(field.length).replace(/(?<=\.).+/s, (rest) => legacyPath(rest, items));
  }
  return path;
}

/** Converts a response, with everything in it, to legacy names. Throws an Error for a field that `names` lacks. */
export function toLegacyNames(value: unknown, names: Readonly<Record<string, string | null>>): unknown {
  if (Array.isArray(value)) return value.map((item) => toLegacyNames(item, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const legacyName = names[name];
      if (legacyName === undefined) throw new Error(`The field ${name} has no legacy name.`);
      return legacyName === null ? [] : [[legacyName, toLegacyNames(inner, names)]];
    }),
  );
}
