import { type FieldSpec, isNumeric, type PropertiesOf } from '../domain/invoice-fields.ts';
import type { Decimal } from '../domain/money.ts';
import { fromDecimal, fromInteger, type StoredNumber, toDecimal, toInteger } from './dynamodb/values.ts';

export type Attributes = Readonly<Record<string, unknown>>;

/** A pair of functions that convert a number to the stored form and back. */
interface NumberFormat<Value> {
  toStored(value: Value): StoredNumber;
  fromStored(stored: StoredNumber): Value;
}

export const DECIMAL: NumberFormat<Decimal> = { toStored: fromDecimal, fromStored: toDecimal };
export const INTEGER: NumberFormat<number> = { toStored: fromInteger, fromStored: toInteger };

/**
 * The name of an attribute, and for a number also the format. The brackets in `[Value]` make TypeScript check a union
 * as a whole. Otherwise, the type would allow a property of type `string | Decimal` without a format.
 */
type MappedAttribute<Value> = [Value] extends [string | boolean]
  ? string
  : readonly [name: string, format: NumberFormat<Value>];

type AttributeMapping<Value> = { readonly [Property in keyof Value]: MappedAttribute<NonNullable<Value[Property]>> };

/** A pair of functions that convert an object to attributes and back. */
interface ItemConverter<Value> {
  readonly attributeNames: readonly string[];
  readonly toAttributes: (value: Value) => Attributes;
  /** Reads a missing attribute as null. */
  readonly fromAttributes: (attributes: Attributes) => Value;
}

/** Maps the property of each field to an attribute with the name of the field: `invoiceDate` to `invoice_date`. */
export function mapPropertiesToAttributes<Spec extends FieldSpec>(
  specs: readonly Spec[],
): AttributeMapping<PropertiesOf<Spec>> {
  const mapping: Record<string, MappedAttribute<string> | MappedAttribute<Decimal>> = {};
  for (const { name, property, kind } of specs) {
    if (property === undefined) continue;
    mapping[property] = isNumeric(kind) ? [name, DECIMAL] : name;
  }
  // The compiler cannot check the type of each property in a loop.
  return mapping as AttributeMapping<PropertiesOf<Spec>>;
}

export function createItemConverter<Value extends object>(mapping: AttributeMapping<Value>): ItemConverter<Value> {
  const entries = Object.entries<MappedAttribute<string> | MappedAttribute<unknown>>(mapping);
  const mappedProperties = entries.map(([property, attribute]) => {
    const [name, format] = typeof attribute === 'string' ? [attribute] : attribute;
    return { property, name, format };
  });
  return {
    attributeNames: mappedProperties.map(({ name }) => name),
    toAttributes(value) {
      const attributes: Record<string, unknown> = {};
      for (const { property, name, format } of mappedProperties) {
        // A property can be null, but not undefined. Null is stored without conversion.
        const propertyValue = value[property as keyof Value];
        attributes[name] = format && propertyValue !== null ? format.toStored(propertyValue) : propertyValue;
      }
      return attributes;
    },
    fromAttributes(attributes) {
      const value: Record<string, unknown> = {};
      for (const { property, name, format } of mappedProperties) {
        const stored = attributes[name] ?? null;
        value[property] = format && stored !== null ? format.fromStored(stored as StoredNumber) : stored;
      }
      return value as Value;
    },
  };
}
