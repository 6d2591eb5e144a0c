import type { JsonSchema } from '../../lib/contracts/contract.ts';
import { replaceFormat, SHARED_SCHEMAS } from '../../lib/contracts/fields.doc.ts';
import * as fields from '../../lib/contracts/fields.ts';
import { INVOICE_STATES, STATE_CODES } from '../../lib/domain/invoice-states.ts';
import type { Language } from '../../lib/domain/language.ts';
import { ACTIONS, TOLERANCE_MODES, TOLERANCE_SOURCES } from '../../lib/domain/tolerance.ts';
import { contractDocs } from '../routes.ts';

const docs = [SHARED_SCHEMAS, ...Object.values(contractDocs)];

const SCHEMA_NAMES: ReadonlyMap<unknown, string> = new Map(
  docs.flatMap(({ schemas }) => Object.entries(schemas).map(([name, [schema]]) => [schema, name] as const)),
);

const spanishDescriptions = new Map(docs.flatMap(({ spanish }) => Object.entries(spanish)));

/** Returns a description of the contracts in a language. */
export function translateDescription(english: string, language: Language): string {
  if (language === 'en') return english;
  const spanish = spanishDescriptions.get(english);
  if (spanish === undefined) throw new Error(`This description needs its Spanish in a .doc.ts file: ${english}`);
  return spanish;
}

/**
 * The enumerations that occur in several places; `valueNames` contains the names of values for programs if the values
 * are not meaningful.
 */
const NAMED_ENUMS: readonly { name: string; values: readonly unknown[]; valueNames?: readonly string[] }[] = [
  { name: 'StateCode', values: STATE_CODES },
  { name: 'StateId', values: Object.values(INVOICE_STATES).map(({ id }) => id), valueNames: STATE_CODES },
  { name: 'ToleranceMode', values: TOLERANCE_MODES },
  { name: 'ToleranceSource', values: TOLERANCE_SOURCES },
  { name: 'ToleranceAction', values: ACTIONS },
  { name: 'ItemErrorCode', values: fields.failedItem.properties.error.properties.code.enum },
];

/** The names of a surface of the service: the prefix of its schemas, and its name for a property (null: omitted). */
export interface Naming {
  readonly prefix: string;
  readonly propertyName: (name: string) => string | null;
}

const currentNaming: Naming = { prefix: '', propertyName: (name) => name };

/** The schemas of the document in a language: those with a name are collected in `named`, and referred to. */
export class Schemas {
  readonly language: Language;
  readonly named: Record<string, JsonSchema> = {};

  constructor(language: Language) {
    this.language = language;
  }

  /** Converts a schema of the contracts to a schema of the document. */
  refer(schema: JsonSchema, naming = currentNaming): JsonSchema {
    const name = SCHEMA_NAMES.get(schema);
    if (name === undefined) return this.#copy(schema, naming);
    return this.define(naming.prefix + name, () => this.#copy(schema, naming));
  }

  /** Adds a named schema to the document, and returns a reference to it. */
  define(name: string, make: () => JsonSchema): JsonSchema {
    this.named[name] ??= make();
    return { $ref: `#/components/schemas/${name}` };
  }

  #copy(schema: JsonSchema, naming: Naming): JsonSchema {
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
  #valuesOf({ type, enum: list, ...texts }: JsonSchema): JsonSchema {
    const values = list as readonly unknown[];
    const known = values.filter((value) => value !== null);
    const named = NAMED_ENUMS.find((one) => JSON.stringify(one.values) === JSON.stringify(known));
    if (!named) throw new Error(`The values ${JSON.stringify(known)} have no name in NAMED_ENUMS.`);
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
 * Returns schemas with descriptions in a language, which allow additional fields. The contracts of responses forbid
 * additional fields, but a client that rejects them would fail as soon as the service adds a field.
 */
export function publishSchemas(
  schemas: Readonly<Record<string, JsonSchema>>,
  language: Language,
): Record<string, JsonSchema> {
  const text = JSON.stringify(schemas, (keyword, value: unknown) => {
    if (keyword === 'description' && typeof value === 'string') return translateDescription(value, language);
    const isBan =
      (keyword === 'additionalProperties' && value === false) || (keyword === 'maxProperties' && value === 0);
    return isBan ? undefined : value;
  });
  return JSON.parse(text) as Record<string, JsonSchema>;
}

/**
 * Returns the schema as other programs can read it: without the condition by which the validator skips the items of a
 * list that is too long, and with patterns in place of formats that only the service knows.
 */
function forReaders(schema: JsonSchema): JsonSchema {
  const { if: condition, then, ...rest } = schema;
  return { ...replaceFormat(rest), ...(condition ? (then as JsonSchema) : {}) };
}
