import type { JsonSchema } from '../../lib/contracts/contract.ts';
import { replaceFormat, SHARED_SCHEMAS } from '../../lib/contracts/fields.doc.ts';
import * as fields from '../../lib/contracts/fields.ts';
import { INVOICE_STATES, STATE_CODES } from '../../lib/domain/invoice-states.ts';
import type { Language, Text } from '../../lib/domain/language.ts';
import { ACTIONS, TOLERANCE_MODES, TOLERANCE_SOURCES } from '../../lib/domain/tolerance.ts';
import { contractDocs } from '../routes.ts';

const docs = [SHARED_SCHEMAS, ...Object.values(contractDocs)];

const SCHEMA_NAMES: ReadonlyMap<unknown, string> = new Map(
  docs.flatMap(({ schemas }) => Object.entries(schemas).map(([name, [schema]]) => [schema, name] as const)),
);

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

/** The legacy name of each property; null: the property is omitted. */
export type LegacyPropertyNames = Readonly<Record<string, string | null>>;

/** The schemas of the document: those with a name are collected in `named`, and referred to. */
export class Schemas {
  readonly named: Record<string, JsonSchema> = {};

  /** Converts a schema of the contracts to a schema of the document, which may have the names of the legacy protocol. */
  refer(schema: JsonSchema, legacyNames?: LegacyPropertyNames): JsonSchema {
    const name = SCHEMA_NAMES.get(schema);
    if (name === undefined) return this.#copy(schema, legacyNames);
    return this.define(legacyNames ? `Legacy${name}` : name, () => this.#copy(schema, legacyNames));
  }

  /** Adds a named schema to the document, and returns a reference to it. */
  define(name: string, make: () => JsonSchema): JsonSchema {
    this.named[name] ??= make();
    return { $ref: `#/components/schemas/${name}` };
  }

  /**
   * Copies a schema without the condition by which the validator skips the items of a list that is too long, and with
   * patterns in place of formats that only the service knows.
   */
  #copy({ if: condition, then, ...schema }: JsonSchema, legacyNames?: LegacyPropertyNames): JsonSchema {
    if (Array.isArray(schema['enum'])) return this.#referToEnum(schema);
    const rename = (name: string): readonly string[] => {
      const propertyName = legacyNames ? legacyNames[name] : name;
      if (propertyName === undefined) throw new Error(`The field ${name} has no legacy name.`);
      return propertyName === null ? [] : [propertyName];
    };
    const copies: Record<string, (value: never) => unknown> = {
      properties: (properties: Record<string, JsonSchema>) =>
        Object.fromEntries(
          Object.entries(properties).flatMap(([name, property]) =>
            rename(name).map((propertyName) => [propertyName, this.refer(property, legacyNames)]),
          ),
        ),
      required: (names: readonly string[]) => names.flatMap(rename),
      oneOf: (schemas: readonly JsonSchema[]) => schemas.map((one) => this.refer(one, legacyNames)),
      items: (items: JsonSchema) => this.refer(items, legacyNames),
    };
    const keywords = Object.entries({ ...replaceFormat(schema), ...(condition ? (then as JsonSchema) : {}) });
    return Object.fromEntries(
      keywords.map(([keyword, value]) => [keyword, copies[keyword]?.(value as never) ?? value]),
    );
  }

  /** Returns a reference to a named enumeration, combined with null if the values contain null. */
  #referToEnum({ type, enum: list, ...texts }: JsonSchema): JsonSchema {
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

const spanishDescriptions = new Map(docs.flatMap(({ spanish }) => Object.entries(spanish)));

/** Returns a description of the contracts in a language. */
export function translateDescription(english: string, language: Language): string {
  if (language === 'en') return english;
  const spanish = spanishDescriptions.get(english);
  if (spanish === undefined) throw new Error(`This description needs its Spanish in a .doc.ts file: ${english}`);
  return spanish;
}

/** A part of a document in one language. */
export type Published<Part> = Part extends Text
  ? string
  : Part extends object
    ? { readonly [Key in keyof Part]: Published<Part[Key]> }
    : Part;

/**
 * Converts a part of a document to one language. Schemas allow additional fields: the contracts of responses forbid
 * them, but a client that rejects them would fail as soon as the service adds a field.
 */
export function publish<Part>(part: Part, language: Language): Published<Part> {
  const text = JSON.stringify(part, (keyword, value: unknown) => {
    if (typeof value === 'object' && value !== null && 'en' in value && 'es' in value) return value[language];
    if (keyword === 'description' && typeof value === 'string') return translateDescription(value, language);
    const isBan =
      (keyword === 'additionalProperties' && value === false) || (keyword === 'maxProperties' && value === 0);
    return isBan ? undefined : value;
  });
  return JSON.parse(text) as Published<Part>;
}
