import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from '../../lib/contracts/contract.ts';
import { replaceFormat, SHARED_SCHEMAS } from '../../lib/contracts/fields.doc.ts';
import { failedItem } from '../../lib/contracts/response-data.ts';
import { HISTORY_KINDS } from '../../lib/domain/invoice-history.ts';
import { INVOICE_STATES, STATE_CODES } from '../../lib/domain/invoice-states.ts';
import { ACTIONS, TOLERANCE_MODES, TOLERANCE_SOURCES } from '../../lib/domain/tolerance.ts';
import { type FieldNames, getLegacyName } from '../../lib/legacy/protocol.ts';
import { contractDocs } from '../routes.ts';

/** The names of schemas in the document. A schema is found by its identity: an equal copy of it has no name. */
const SCHEMA_NAMES = new Map<JsonSchema, string>();
for (const { schemas } of [SHARED_SCHEMAS, ...Object.values(contractDocs)]) {
  for (const [name, [schema]] of Object.entries(schemas)) SCHEMA_NAMES.set(schema, name);
}

/** The enumerations of the document by name. An enumeration is found by its values. */
const ENUMS: Readonly<Record<string, JsonSchema>> = {
  StateCode: { type: 'string', enum: STATE_CODES },
  StateId: { type: 'integer', enum: Object.values(INVOICE_STATES).map(({ id }) => id) },
  ToleranceMode: { type: 'string', enum: TOLERANCE_MODES },
  ToleranceSource: { type: 'string', enum: TOLERANCE_SOURCES },
  HistoryKind: { type: 'string', enum: Object.values(HISTORY_KINDS) },
  ToleranceAction: { type: 'string', enum: ACTIONS },
  ItemErrorCode: { type: 'string', enum: failedItem.properties.error.properties.code.enum },
};

/**
 * Converts the schemas of the contracts to schemas of the OpenAPI document, and collects those that have a name. In a
 * conversion for the legacy route, `legacyNames` contains the legacy names of the properties. The name of the converted
 * schema then begins with `Legacy`, such as `LegacyTolerance`.
 */
export class Schemas {
  /** The collected schemas, which are `components.schemas` of the document. */
  readonly named: Record<string, JsonSchema> = {};

  /** Converts a schema. If it has a name, collects the converted schema and returns a reference to it. */
  refer(schema: JsonSchema, legacyNames?: FieldNames): JsonSchema {
    const converted = this.convert(schema, legacyNames);
    const name = SCHEMA_NAMES.get(schema);
    if (name === undefined) return converted;
    return this.define(legacyNames ? `Legacy${name}` : name, converted);
  }

  /** Collects a converted schema, unless the name already has a schema. Returns a reference to the name. */
  define(name: string, schema: JsonSchema): JsonSchema {
    this.named[name] ??= schema;
    return { $ref: `#/components/schemas/${name}` };
  }

  /** Converts a schema and the schemas in it, which become references if they have a name. */
  convert(schema: JsonSchema, legacyNames?: FieldNames): JsonSchema {
    if (schema.enum) return this.#convertEnum(schema);
    const converted = includeConditional(replaceFormat(schema));
    const { properties, required, oneOf, items } = converted;
    if (properties) converted.properties = this.#convertProperties(properties, legacyNames);
    if (required) {
      const names = required.map((name) => toPropertyName(name, legacyNames));
      converted.required = names.filter((name) => name !== null);
    }
    if (oneOf) converted.oneOf = oneOf.map((variant) => this.refer(variant, legacyNames));
    if (items) converted.items = this.refer(items, legacyNames);
    return converted;
  }

  #convertProperties(properties: Readonly<Record<string, JsonSchema>>, legacyNames: FieldNames | undefined) {
    const converted: Record<string, JsonSchema> = {};
    for (const [name, property] of Object.entries(properties)) {
      const propertyName = toPropertyName(name, legacyNames);
      if (propertyName !== null) converted[propertyName] = this.refer(property, legacyNames);
    }
    return converted;
  }

  /** Converts an enumeration to a reference to its entry in ENUMS, with null if null is one of the values. */
  #convertEnum({ type: _type, enum: allValues = [], ...otherKeywords }: JsonSchema): JsonSchema {
    const values = allValues.filter((value) => value !== null);
    const namedEnum = Object.entries(ENUMS).find(([, candidate]) => isDeepStrictEqual(candidate.enum, values));
    if (!namedEnum) throw new Error(`The values ${JSON.stringify(values)} have no name in ENUMS.`);
    const [name, enumSchema] = namedEnum;
    const reference = this.define(name, enumSchema);
    const isNullable = values.length < allValues.length;
    if (isNullable) return { ...otherKeywords, anyOf: [reference, { type: 'null' }] };
    return { ...otherKeywords, ...reference };
  }
}

/** Returns the name of a property in the document, or null for a property that the legacy protocol does not have. */
function toPropertyName(name: string, legacyNames: FieldNames | undefined): string | null {
  return legacyNames ? getLegacyName(name, legacyNames) : name;
}

/** Includes `then` without its condition `if`, with which the validator skips the items of a list that is too long. */
function includeConditional(schema: JsonSchema) {
  const { if: _condition, then: conditionalKeywords, ...otherKeywords } = schema;
  return { ...otherKeywords, ...conditionalKeywords };
}
