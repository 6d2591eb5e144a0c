import type { JsonSchema } from '../../lib/contracts/contract.ts';
import { declarationRequest } from '../../lib/contracts/declare-invoice.ts';
import { ERROR_ENVELOPES, pageMeta, propertyFault } from '../../lib/contracts/envelopes.ts';
import * as fields from '../../lib/contracts/fields.ts';

/** The schemas of the contracts that get a name of their own in the document. */
const NAMES: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [fields.invoiceRow, 'InvoiceRow'],
  [fields.concept, 'Concept'],
  [fields.tolerance, 'Tolerance'],
  [fields.toleranceOutcome, 'ToleranceOutcome'],
  [fields.invoiceListData, 'InvoiceList'],
  [fields.invoiceDetailData, 'InvoiceDetail'],
  [fields.declarationData, 'DeclarationResult'],
  [fields.amountCheckData, 'AmountCheck'],
  [fields.declaredItem, 'DeclaredItem'],
  [fields.failedItem, 'FailedItem'],
  [fields.batchData, 'BatchResult'],
  [declarationRequest, 'DeclarationRequest'],
  [pageMeta, 'PageMeta'],
  [propertyFault, 'PropertyFault'],
  ...Object.entries(ERROR_ENVELOPES).map(([code, schema]) => [schema, errorName(code)] as const),
]);

/** How a surface of the service names things: a prefix for its schemas, and its name for a property. */
export interface Naming {
  readonly prefix: string;
  readonly propertyName: (name: string) => string;
}

/** The names of the contracts themselves. */
const currentNaming: Naming = { prefix: '', propertyName: (name) => name };

/** The schemas of the document: those with a name are collected in `named`, and referred to. */
export class Schemas {
  readonly named: Record<string, JsonSchema> = {};

  /** A schema of the contracts as it stands in the document. */
  refer(schema: JsonSchema, naming = currentNaming): JsonSchema {
    const name = NAMES.get(schema);
    if (name === undefined) return this.#copy(schema, naming);
    const fullName = naming.prefix + name;
    this.named[fullName] ??= this.#copy(schema, naming);
    return { $ref: `#/components/schemas/${fullName}` };
  }

  #copy(schema: JsonSchema, naming: Naming): JsonSchema {
    return Object.fromEntries(
      Object.entries(forReaders(schema)).map(([keyword, value]) => {
        if (keyword === 'properties') return [keyword, this.#properties(value as Record<string, JsonSchema>, naming)];
        if (keyword === 'required') return [keyword, (value as string[]).map(naming.propertyName)];
        if (keyword === 'oneOf') return [keyword, (value as JsonSchema[]).map((one) => this.refer(one, naming))];
        if (keyword === 'items') return [keyword, this.refer(value as JsonSchema, naming)];
        return [keyword, value];
      }),
    );
  }

  #properties(properties: Readonly<Record<string, JsonSchema>>, naming: Naming): JsonSchema {
    return Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [naming.propertyName(name), this.refer(schema, naming)]),
    );
  }
}

/**
 * The schema without what is of use to the service's validator alone: it judges the items of an array only if there are
 * not too many, it knows a format that others do not, and it has the messages of the faults.
 */
function forReaders(schema: JsonSchema): JsonSchema {
  const { if: condition, then, messages: _, ...known } = schema;
  const { format, ...withoutFormat } = known;
  return { ...(format === 'iso8601' ? withoutFormat : known), ...(condition ? (then as JsonSchema) : {}) };
}

/** `VALIDATION_ERROR` is ValidationError, `NOT_FOUND` is NotFoundError. */
function errorName(code: string): string {
  const words = code.replace(/_ERROR$/, '').split('_');
  return [...words, 'ERROR'].map((word) => word.slice(0, 1) + word.slice(1).toLowerCase()).join('');
}
