import type { JsonSchema } from '../../lib/contracts/contract.ts';
import { replaceFormat, SHARED_SCHEMAS } from '../../lib/contracts/fields.doc.ts';
import * as fields from '../../lib/contracts/fields.ts';
import { INVOICE_STATES, STATE_CODES } from '../../lib/domain/invoice-states.ts';
import type { Language, Text } from '../../lib/domain/language.ts';
import { ACTIONS, TOLERANCE_MODES, TOLERANCE_SOURCES } from '../../lib/domain/tolerance.ts';
import { contractDocs } from '../routes.ts';

const DOCS = [SHARED_SCHEMAS, ...Object.values(contractDocs)];

const SCHEMA_NAMES: ReadonlyMap<unknown, string> = new Map(
  DOCS.flatMap(({ schemas }) => Object.entries(schemas).map(([name, [schema]]) => [schema, name] as const)),
);
const SPANISH_DESCRIPTIONS = new Map(DOCS.flatMap(({ spanish }) => Object.entries(spanish)));

/** An enumeration that occurs in several places. */
interface NamedEnum {
  readonly name: string;
  readonly values: readonly unknown[];
  /** The names of the values for generated programs, if the values are not meaningful. */
  readonly valueNames?: readonly string[];
}

const NAMED_ENUMS: readonly NamedEnum[] = [
  { name: 'StateCode', values: STATE_CODES },
  { name: 'StateId', values: Object.values(INVOICE_STATES).map(({ id }) => id), valueNames: STATE_CODES },
  { name: 'ToleranceMode', values: TOLERANCE_MODES },
  { name: 'ToleranceSource', values: TOLERANCE_SOURCES },
  { name: 'ToleranceAction', values: ACTIONS },
  { name: 'ItemErrorCode', values: fields.failedItem.properties.error.properties.code.enum },
];

/** The legacy name of each property; null: the property is omitted. */
export type LegacyPropertyNames = Readonly<Record<string, string | null>>;

/** The schemas of the document. It collects the named schemas, to which all others refer. */
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
    const copy: Record<string, unknown> = { ...replaceFormat(schema), ...(condition ? (then as JsonSchema) : {}) };
    const { properties, required, oneOf, items } = copy as ObjectKeywords;
    if (properties) copy['properties'] = this.#copyProperties(properties, legacyNames);
    if (required) copy['required'] = required.map((name) => renameProperty(name, legacyNames)).filter(isNotNull);
    if (oneOf) copy['oneOf'] = oneOf.map((variant) => this.refer(variant, legacyNames));
    if (items) copy['items'] = this.refer(items, legacyNames);
    return copy;
  }

  #copyProperties(properties: Readonly<Record<string, JsonSchema>>, legacyNames?: LegacyPropertyNames) {
    const copies: Record<string, JsonSchema> = {};
    for (const [name, property] of Object.entries(properties)) {
      const propertyName = renameProperty(name, legacyNames);
      if (propertyName !== null) copies[propertyName] = this.refer(property, legacyNames);
    }
    return copies;
  }

  /** Returns a reference to a named enumeration, combined with null if the values contain null. */
  #referToEnum({ type, enum: enumValues, ...texts }: JsonSchema): JsonSchema {
    const allValues = enumValues as readonly unknown[];
    const values = allValues.filter(isNotNull);
    const namedEnum = NAMED_ENUMS.find((candidate) => JSON.stringify(candidate.values) === JSON.stringify(values));
    if (!namedEnum) throw new Error(`The values ${JSON.stringify(values)} have no name in NAMED_ENUMS.`);
    const reference = this.define(namedEnum.name, () => ({
      // The type of an enumeration with null is a list, such as ['string', 'null'].
      type: [type as string | string[]].flat().find((name) => name !== 'null')!,
      enum: values,
      ...(namedEnum.valueNames && { 'x-enum-varnames': namedEnum.valueNames }),
    }));
    if (values.length === allValues.length) return { ...texts, ...reference };
    return { ...texts, anyOf: [reference, { type: 'null' }] };
  }
}

/** The keywords of a schema that contain other schemas, or names of properties. */
interface ObjectKeywords {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly oneOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
}

/** Returns the name of a property in the document; null if the legacy protocol omits the property. */
function renameProperty(name: string, legacyNames?: LegacyPropertyNames): string | null {
  const propertyName = legacyNames ? legacyNames[name] : name;
  if (propertyName === undefined) throw new Error(`The field ${name} has no legacy name.`);
  return propertyName;
}

function isNotNull<Value>(value: Value | null): value is Value {
  return value !== null;
}

/** Returns a description of the contracts in a language. */
export function translateDescription(english: string, language: Language): string {
  if (language === 'en') return english;
  const spanish = SPANISH_DESCRIPTIONS.get(english);
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
export function toPublished<Part>(part: Part, language: Language): Published<Part> {
  const text = JSON.stringify(part, (keyword, value: unknown) => {
    if (typeof value === 'object' && value !== null && 'en' in value && 'es' in value) return value[language];
    if (keyword === 'description' && typeof value === 'string') return translateDescription(value, language);
    const forbidsProperties =
      (keyword === 'additionalProperties' && value === false) || (keyword === 'maxProperties' && value === 0);
    return forbidsProperties ? undefined : value;
  });
  return JSON.parse(text) as Published<Part>;
}
