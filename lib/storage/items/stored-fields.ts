import type { Decimal } from '../../domain/money.ts';
import { fromDecimal, fromInteger, type StoredNumber, toDecimal, toInteger } from '../dynamodb/numbers.ts';

/** Attributes of an item, by name. */
export type Attributes = Readonly<Record<string, unknown>>;

/** How a number is written and read. */
interface NumberFormat<Value> {
  write(value: Value): StoredNumber;
  read(stored: StoredNumber): Value;
}

export const DECIMAL: NumberFormat<Decimal> = { write: fromDecimal, read: toDecimal };
export const INTEGER: NumberFormat<number> = { write: fromInteger, read: toInteger };

/** The name of a field's attribute; of a number, its format, too. */
type StoredField<Value> = [Value] extends [string | boolean]
  ? string
  : readonly [name: string, format: NumberFormat<Value>];

/** Writes the fields of a value as attributes (null as null), and reads them (null where there is none). */
export function storedFields<Value extends object>(table: {
  readonly [Name in keyof Value]: StoredField<NonNullable<Value[Name]>>;
}) {
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
