import type { JsonSchema } from '../../lib/contracts/contract.ts';
import { replaceFormat } from '../../lib/contracts/format-patterns.ts';
import type { Language } from '../../lib/domain/language.ts';
import type { Schema } from './operation.ts';
import { NAMED_ENUMS, SCHEMA_NAMES } from './schema-texts.ts';

/** The names of a surface of the service: the prefix of its schemas, and its name for a property (null: omitted). */
export interface Naming {
  readonly prefix: string;
  readonly propertyName: (name: string) => string | null;
}

/** The names of the contracts themselves. */
const currentNaming: Naming = { prefix: '', propertyName: (name) => name };

/** The schemas of the document in a language: those with a name are collected in `named`, and referred to. */
export class Schemas {
  readonly language: Language;
  readonly named: Record<string, Schema> = {};

  constructor(language: Language) {
    this.language = language;
  }

  /** Converts a schema of the contracts to a schema of the document. */
  refer(schema: JsonSchema, naming = currentNaming): Schema {
    const name = SCHEMA_NAMES.get(schema);
    if (name === undefined) return this.#copy(schema, naming);
    return this.define(naming.prefix + name, () => this.#copy(schema, naming));
  }

  /** Adds a named schema to the document, and returns a reference to it. */
  define(name: string, make: () => Schema): Schema {
    this.named[name] ??= make();
    return { $ref: `#/components/schemas/${name}` };
  }

  #copy(schema: JsonSchema, naming: Naming): Schema {
    if (Array.isArray(schema['enum'])) return this.#valuesOf(schema);
    return Object.fromEntries(
      Object.entries(forReaders(schema)).map(([keyword, value]) => {
        if (keyword === 'properties') {
          const properties = Object.entries(value as Record<string, JsonSchema>);
          const named = properties.flatMap(([name, one]) => {
            const propertyName = naming.propertyName(name);
            return propertyName === null ? [] : [[propertyName, this.refer(one, naming)]];
          });
          return [keyword, Object.fromEntries(named)];
        }
        if (keyword === 'required')
          return [keyword, (value as string[]).flatMap((name) => naming.propertyName(name) ?? [])];
        if (keyword === 'oneOf') return [keyword, (value as JsonSchema[]).map((one) => this.refer(one, naming))];
        if (keyword === 'items') return [keyword, this.refer(value as JsonSchema, naming)];
        return [keyword, value];
      }),
    );
  }

  /** Returns a reference to a named enumeration, combined with null if the values contain null. */
  #valuesOf({ type, enum: list, ...texts }: JsonSchema): Schema {
    const values = list as readonly unknown[];
    const known = values.filter((value) => value !== null);
    const named = NAMED_ENUMS.find((one) => JSON.stringify(one.values) === JSON.stringify(known));
    if (!named) throw new Error(`The values ${JSON.stringify(known)} have no name in schema-texts.ts.`);
    const reference = this.define(named.name, () => ({
      type: [type as string | string[]].flat().find((one) => one !== 'null')!,
      enum: known,
      ...(named.valueNames && { 'x-enum-varnames': named.valueNames }),
    }));
    return known.length === values.length
      ? { ...texts, ...reference }
      : { ...texts, anyOf: [reference, { type: 'null' }] };
  }
}

/**
 * Allows additional fields in schemas of responses. The contracts forbid them, but a client that rejects additional
 * fields would fail as soon as the service adds a field.
 */
export function openToNewFields(schemas: Readonly<Record<string, Schema>>): Record<string, Schema> {
  const isBan = (keyword: string, value: unknown) =>
    (keyword === 'additionalProperties' && value === false) || (keyword === 'maxProperties' && value === 0);
  const text = JSON.stringify(schemas, (keyword, value: unknown) => (isBan(keyword, value) ? undefined : value));
  return JSON.parse(text) as Record<string, Schema>;
}

/**
 * Returns the schema as other programs can read it: without the condition by which the validator skips the items of a
 * list that is too long, and with patterns in place of formats that only the service knows.
 */
function forReaders(schema: JsonSchema): JsonSchema {
  const { if: condition, then, ...rest } = schema;
  return { ...replaceFormat(rest), ...(condition ? (then as JsonSchema) : {}) };
}
