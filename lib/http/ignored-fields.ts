import type { JsonSchema } from '../contracts/contract.ts';

// A body can have ten thousand names, and a name as long as the body. The gateway accepts 10 KB of response headers.
const MAX_FIELDS = 10;
const MAX_NAME_LENGTH = 60;

/**
 * Finds the properties of a body that its schema does not know, and that the service therefore ignores. Returns at most
 * 10 of them, escaped for a header. `declarations[].invoce_date` is a property of one or more items.
 */
export function findIgnoredFields(body: unknown, schema: JsonSchema): readonly string[] {
  const fields = new Set<string>();
  addUnknownProperties(fields, body, schema, '');
  return [...fields];
}

/** Adds the unknown properties of an object, and those of the items of its arrays. */
function addUnknownProperties(
  fields: Set<string>,
  value: unknown,
  { properties = {} }: JsonSchema,
  parent: string,
): void {
  if (!isObject(value)) return;
  for (const name of Object.keys(value)) {
    if (fields.size === MAX_FIELDS) return;
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property === undefined) fields.add(parent + escapeName(name));
    else addUnknownPropertiesOfItems(fields, value[name], property, `${parent}${name}[].`);
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Escapes a name as in a URL, so that it contains only ASCII, and no comma or bracket. An empty name becomes `""`. */
function escapeName(name: string): string {
  // A property of a batch item can contain half a surrogate pair, for which `encodeURIComponent` throws an error.
  const shortName = name.slice(0, MAX_NAME_LENGTH).toWellFormed();
  return encodeURIComponent(shortName) || '""';
}

function addUnknownPropertiesOfItems(fields: Set<string>, items: unknown, schema: JsonSchema, parent: string): void {
  // The items of a batch have their schema in `then`.
  const itemSchema = schema.items ?? schema.then?.items;
  if (itemSchema === undefined || !Array.isArray(items)) return;
  for (const item of items) addUnknownProperties(fields, item, itemSchema, parent);
}
