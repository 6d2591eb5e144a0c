import { type FieldSpec, isNumeric, type PropertiesOf } from '../domain/invoice-fields.ts';
import type { Decimal } from '../domain/money.ts';
import { fromDecimal, fromInteger, type StoredNumber, toDecimal, toInteger } from './dynamodb/values.ts';

export type Attributes = Readonly<Record<string, unknown>>;

/** The conversion of a number to its stored form and back. */
interface NumberFormat<Value> {
  write(value: Value): StoredNumber;
  read(stored: StoredNumber): Value;
}

export const DECIMAL: NumberFormat<Decimal> = { write: fromDecimal, read: toDecimal };
export const INTEGER: NumberFormat<number> = { write: fromInteger, read: toInteger };

/** The name of the attribute of a field, and for a number its format. */
type StoredField<Value> = [Value] extends [string | boolean]
  ? string
  : readonly [name: string, format: NumberFormat<Value>];

type StoredFields<Value> = { readonly [Name in keyof Value]: StoredField<NonNullable<Value[Name]>> };

/** Returns the attributes of the properties that contain fields: they have the names of the fields. */
export function mapPropertiesToAttributes<Spec extends FieldSpec>(
  specs: readonly Spec[],
): StoredFields<PropertiesOf<Spec>> {
  const entries = specs.flatMap(({ name, property, kind }) =>
    property === undefined ? [] : [[property, isNumeric(kind) ? [name, DECIMAL] : name]],
  );
  return Object.fromEntries(entries) as StoredFields<PropertiesOf<Spec>>;
}

/** Creates the conversion of a value to attributes and back. A missing attribute is read as null. */
export function createItemConverter<Value extends object>(table: StoredFields<Value>) {
  const fields = Object.entries<string | readonly [string, NumberFormat<unknown>]>(table).map(([field, stored]) => {
    const [name, format] = typeof stored === 'string' ? [stored] : stored;
    return { field, name, format };
  });
  return {
    write: (value: Value): Attributes => {
      const attributes: Record<string, unknown> = {};
      for (const { field, name, format } of fields) {
        const written = value[field as keyof Value];
        attributes[name] = format && written !== null ? format.write(written) : written;
      }
      return attributes;
    },
    read: (item: Attributes): Value => {
      const value: Record<string, unknown> = {};
      for (const { field, name, format } of fields) {
        const stored = item[name] ?? null;
        value[field] = format && stored !== null ? format.read(stored as StoredNumber) : stored;
      }
      return value as Value;
    },
  };
}
