import type { Decimal } from './money.ts';

type NumericKind = 'amount' | 'signed-amount' | 'percentage';

/** A field of an invoice or of a concept. Schemas, stored items and imports are built from the tables of fields. */
export interface FieldSpec {
  readonly name: string;
  readonly kind: NumericKind | 'id' | 'text' | 'date' | 'web-address' | 'state';
  readonly isNullable?: true;
  /** The writer of the field besides imports. A field of the writer `service` is computed and not stored. */
  readonly writer?: 'declaration' | 'service';
  /**
   * The property of Invoice or Concept with the value. A field that declarations write has none, because separate code
   * converts it. A new invoice requires each field with a property, unless the field is nullable.
   */
  readonly property?: string;
}

export const INVOICE_FIELDS = [
  { name: 'invoice_id', kind: 'id' },
  { name: 'invoice_date', kind: 'date', isNullable: true, property: 'invoiceDate' },
  { name: 'service_id', kind: 'id', property: 'serviceId' },
  { name: 'service_number', kind: 'text', isNullable: true, property: 'serviceNumber' },
  { name: 'service_call_date', kind: 'date', isNullable: true, property: 'serviceCallDate' },
  { name: 'account_name', kind: 'text', isNullable: true, property: 'accountName' },
  { name: 'city', kind: 'text', isNullable: true, property: 'city' },
  { name: 'system_amount', kind: 'amount', property: 'systemAmount' },
  { name: 'declaration_id', kind: 'text', isNullable: true, writer: 'declaration' },
  { name: 'declared_amount', kind: 'amount', isNullable: true, writer: 'declaration' },
  { name: 'declared_notes', kind: 'text', isNullable: true, writer: 'declaration' },
  { name: 'provider_invoice_number', kind: 'text', isNullable: true, writer: 'declaration' },
  { name: 'provider_invoice_date', kind: 'date', isNullable: true, writer: 'declaration' },
  { name: 'state_code', kind: 'state', writer: 'declaration' },
  { name: 'state_name', kind: 'text', writer: 'service' },
  { name: 'difference', kind: 'amount', isNullable: true, writer: 'service' },
  { name: 'difference_pct', kind: 'percentage', isNullable: true, writer: 'service' },
  { name: 'attachment_url', kind: 'web-address', isNullable: true, property: 'attachmentUrl' },
  { name: 'attachment_filename', kind: 'text', isNullable: true, property: 'attachmentFilename' },
] as const satisfies readonly FieldSpec[];

export const CONCEPT_FIELDS = [
  { name: 'concept_id', kind: 'text', property: 'conceptId' },
  { name: 'description', kind: 'text', property: 'description' },
  { name: 'unit_amount', kind: 'signed-amount', property: 'unitAmount' },
  { name: 'quantity', kind: 'signed-amount', property: 'quantity' },
  { name: 'tax_pct', kind: 'percentage', property: 'taxPct' },
  { name: 'total', kind: 'signed-amount', property: 'total' },
] as const satisfies readonly FieldSpec[];

type InvoiceSpec = (typeof INVOICE_FIELDS)[number];

export type InvoiceField = InvoiceSpec['name'];
export type ImportableField = Exclude<InvoiceSpec, { writer: 'service' }>['name'];

/** An object with the properties of all fields that have a `property`. */
export type PropertiesOf<Spec extends FieldSpec> = {
  readonly [F in Extract<Spec, { property: string }> as F['property']]:
    (F['kind'] extends NumericKind ? Decimal : string) | (F extends { isNullable: true } ? null : never);
};

/** The JSON Schemas of fields, by the names of the fields. */
export type SchemasOf<Spec extends FieldSpec, Numeric = 'number'> = {
  readonly [F in Spec as F['name']]: {
    readonly type: JsonType<F, F['kind'] extends NumericKind ? Numeric : 'string'>;
    readonly description: string;
  };
};

type JsonType<F extends FieldSpec, Type> = F extends { isNullable: true } ? readonly [Type, 'null'] : Type;

export type ImportedProperties = PropertiesOf<InvoiceSpec>;

/** The fields that only an import writes. */
export const IMPORTED_FIELDS = INVOICE_FIELDS.filter((spec) => 'property' in spec);

export function isNumeric(kind: FieldSpec['kind'] | undefined): kind is NumericKind {
  return kind === 'amount' || kind === 'signed-amount' || kind === 'percentage';
}
