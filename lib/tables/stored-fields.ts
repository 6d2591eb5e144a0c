import { type FieldSpec, isNumeric, type PropertiesOf } from '../domain/invoice-fields.ts';
import type { Decimal } from '../domain/money.ts';
import { fromDecimal, fromInteger, type StoredNumber, toDecimal, toInteger } from './dynamodb/values.ts';

export type Attributes = Readonly<Record<string, unknown>>;

/** The conversion of a number to its stored form and back. */
interface NumberFormat<Value> {
  toStored(value: Value): StoredNumber;
  fromStored(stored: StoredNumber): Value;
}

export const DECIMAL: NumberFormat<Decimal> = { toStored: fromDecimal, fromStored: toDecimal };
export const INTEGER: NumberFormat<number> = { toStored: fromInteger, fromStored: toInteger };

/**
 * The attribute of a property: its name, and for a number its format. The condition compares tuples, because otherwise
 * it would apply to each member of a union, and a property of type `string | Decimal` would need no format.
 */
type MappedAttribute<Value> = [Value] extends [string | boolean]
  ? string
  : readonly [name: string, format: NumberFormat<Value>];

type AttributeMapping<Value> = { readonly [Property in keyof Value]: MappedAttribute<NonNullable<Value[Property]>> };

/** The conversion of a value to attributes and back. */
interface ItemConverter<Value> {
  readonly toAttributes: (value: Value) => Attributes;
  /** Reads a missing attribute as null, because an item of an earlier version can lack it. */
  readonly fromAttributes: (attributes: Attributes) => Value;
}

/** Maps the properties that contain fields to attributes that have the names of the fields. */
export function mapPropertiesToAttributes<Spec extends FieldSpec>(
  specs: readonly Spec[],
): AttributeMapping<PropertiesOf<Spec>> {
  const mapping: Record<string, MappedAttribute<string> | MappedAttribute<Decimal>> = {};
  for (const { name, property, kind } of specs) {
    if (property === undefined) continue;
    mapping[property] = isNumeric(kind) ? [name, DECIMAL] : name;
  }
  // The compiler cannot derive the type of each property from the loop.
  return mapping as AttributeMapping<PropertiesOf<Spec>>;
}

export function createItemConverter<Value extends object>(mapping: AttributeMapping<Value>): ItemConverter<Value> {
  const entries = Object.entries<MappedAttribute<string> | MappedAttribute<unknown>>(mapping);
  const mappedProperties = entries.map(([property, attribute]) => {
    const [name, format] = typeof attribute === 'string' ? [attribute] : attribute;
    return { property, name, format };
  });
  return {
    toAttributes(value) {
      const attributes: Record<string, unknown> = {};
      for (const { property, name, format } of mappedProperties) {
        // No property can be undefined, so only null has nothing to convert.
        const content = value[property as keyof Value];
        attributes[name] = format && content !== null ? format.toStored(content) : content;
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
