import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from '../../lib/contracts/contract.ts';
import { replaceFormat, SHARED_SCHEMAS } from '../../lib/contracts/fields.doc.ts';
import { failedItem } from '../../lib/contracts/response-data.ts';
import { HISTORY_KINDS } from '../../lib/domain/invoice-history.ts';
import { INVOICE_STATES, STATE_CODES } from '../../lib/domain/invoice-states.ts';
import type { Language, Text } from '../../lib/domain/language.ts';
import { ACTIONS, TOLERANCE_MODES, TOLERANCE_SOURCES } from '../../lib/domain/tolerance.ts';
import { type FieldNames, getLegacyName } from '../../lib/legacy/protocol.ts';
import { contractDocs } from '../routes.ts';

const DOCS = [SHARED_SCHEMAS, ...Object.values(contractDocs)];

const NAMED_SCHEMAS = DOCS.flatMap(({ schemas }) => Object.entries(schemas));
/** The names of schemas in the document. A schema without a name is not in this map. */
const SCHEMA_NAMES = new Map(NAMED_SCHEMAS.map(([name, [schema]]) => [schema, name]));
/** The Spanish translations of the English descriptions in schemas. */
const SPANISH_DESCRIPTIONS = new Map(DOCS.flatMap(({ spanish }) => Object.entries(spanish)));

/** The enumerations of the document by name. */
const ENUMS: Readonly<Record<string, JsonSchema>> = {
  StateCode: { type: 'string', enum: STATE_CODES },
  StateId: { type: 'integer', enum: Object.values(INVOICE_STATES).map(({ id }) => id) },
  ToleranceMode: { type: 'string', enum: TOLERANCE_MODES },
  ToleranceSource: { type: 'string', enum: TOLERANCE_SOURCES },
  HistoryKind: { type: 'string', enum: Object.values(HISTORY_KINDS) },
  ToleranceAction: { type: 'string', enum: ACTIONS },
  ItemErrorCode: { type: 'string', enum: failedItem.properties.error.properties.code.enum },
};

/** Converts the schemas of the contracts to schemas of the document, and collects the schemas that have a name. */
export class Schemas {
  readonly named: Record<string, JsonSchema> = {};

  /** Returns a reference to a schema if it has a name in the document. Otherwise converts the schema. */
  refer(schema: JsonSchema, legacyNames?: FieldNames): JsonSchema {
    const converted = this.convert(schema, legacyNames);
    const name = SCHEMA_NAMES.get(schema);
    if (name === undefined) return converted;
    return this.define(legacyNames ? `Legacy${name}` : name, converted);
  }

  /** Adds a named schema to the document, unless it has the name already, and returns a reference to the schema. */
  define(name: string, schema: JsonSchema): JsonSchema {
    this.named[name] ??= schema;
    return { $ref: `#/components/schemas/${name}` };
  }

  /** Converts a schema. Schemas in it become references, and formats that only this service knows become patterns. */
  convert(schema: JsonSchema, legacyNames?: FieldNames): JsonSchema {
    if (schema.enum) return this.#convertEnum(schema);
    const converted = removeCondition(replaceFormat(schema));
    const { properties, required, oneOf, items } = converted;
    if (properties) converted.properties = this.#convertProperties(properties, legacyNames);
    if (required) {
      const names = required.map((name) => (legacyNames ? getLegacyName(name, legacyNames) : name));
      converted.required = names.filter((name) => name !== null);
    }
    if (oneOf) converted.oneOf = oneOf.map((variant) => this.refer(variant, legacyNames));
    if (items) converted.items = this.refer(items, legacyNames);
    return converted;
  }

  #convertProperties(properties: Readonly<Record<string, JsonSchema>>, legacyNames?: FieldNames) {
    const converted: Record<string, JsonSchema> = {};
    for (const [name, property] of Object.entries(properties)) {
      const propertyName = legacyNames ? getLegacyName(name, legacyNames) : name;
      if (propertyName !== null) converted[propertyName] = this.refer(property, legacyNames);
    }
    return converted;
  }

  /** Converts an enumeration to a reference, which is combined with null if null is one of the values. */
  #convertEnum({ type: _type, enum: allValues = [], ...otherKeywords }: JsonSchema): JsonSchema {
    const values = allValues.filter((value) => value !== null);
    const namedEnum = Object.entries(ENUMS).find(([, candidate]) => isDeepStrictEqual(candidate.enum, values));
    if (!namedEnum) throw new Error(`The values ${JSON.stringify(values)} have no name in ENUMS.`);
    const [name, enumSchema] = namedEnum;
    const reference = this.define(name, enumSchema);
    if (values.length === allValues.length) return { ...otherKeywords, ...reference };
    return { ...otherKeywords, anyOf: [reference, { type: 'null' }] };
  }
}

/** Removes the keyword `if`, which only allows the validator to skip the items of a list that is too long. */
function removeCondition(schema: JsonSchema) {
  const { if: _condition, then: conditionalKeywords, ...otherKeywords } = schema;
  return { ...otherKeywords, ...conditionalKeywords };
}

/** A part of a document in one language. */
export type Published<Part> = Part extends Text
  ? string
  : Part extends object
    ? { readonly [Key in keyof Part]: Published<Part[Key]> }
    : Part;

/** Converts a part of a document to one language, and removes the keywords of schemas that forbid properties. */
export function toPublished<Part>(part: Part, language: Language): Published<Part> {
  const text = JSON.stringify(part, (keyword, value: unknown) => {
    if (forbidsProperties(keyword, value)) return undefined;
    if (isText(value)) return value[language];
    const isSpanishDescription = keyword === 'description' && language === 'es';
    // The examples contain descriptions, too, which have no translation.
    return isSpanishDescription ? (SPANISH_DESCRIPTIONS.get(value as string) ?? value) : value;
  });
  return JSON.parse(text) as Published<Part>;
}

/** True if a keyword forbids properties. A client that rejects them would fail when the service adds a property. */
function forbidsProperties(keyword: string, value: unknown): boolean {
  if (keyword === 'additionalProperties') return value === false;
  return keyword === 'maxProperties' && value === 0;
}

function isText(value: unknown): value is Text {
  return typeof value === 'object' && value !== null && 'en' in value && 'es' in value;
}
