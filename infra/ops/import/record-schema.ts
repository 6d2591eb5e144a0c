import type { FromSchema } from 'json-schema-to-ts';
import {
  CONCEPT_FIELDS,
  type FieldSpec,
  IMPORTED_FIELDS,
  INVOICE_FIELDS,
  isNumeric,
  type SchemasOf,
} from '../../../lib/domain/invoice-fields.ts';
import { STATE_CODES } from '../../../lib/domain/invoice-states.ts';
import { LIMITS } from '../../../lib/domain/limits.ts';
import { describeInLanguages } from '../input/compile-schema.ts';
import { rejectionTexts } from '../texts/ops-texts.ts';

function createTextSchema(maxLength: number) {
  return { format: 'text', maxLength, description: describeInLanguages(rejectionTexts.text(maxLength)) } as const;
}

/** The schema of each kind of field. The type is added for each field, because some fields can be null. */
const KIND_SCHEMAS = {
  id: {
    pattern: `^[0-9]{1,${LIMITS.idDigits}}$`,
    description: describeInLanguages(rejectionTexts.digits(LIMITS.idDigits)),
  },
  text: createTextSchema(1000),
  date: { format: 'iso8601', description: describeInLanguages(rejectionTexts.date) },
  'web-address': {
    format: 'web-address',
    maxLength: 1000,
    description: describeInLanguages(rejectionTexts.webAddress),
  },
  amount: { format: 'amount', description: describeInLanguages(rejectionTexts.number(0, LIMITS.amountMax)) },
  'signed-amount': {
    format: 'signed-amount',
    description: describeInLanguages(rejectionTexts.numberUpTo(LIMITS.amountMax)),
  },
  percentage: { format: 'percentage', description: describeInLanguages(rejectionTexts.number(0, LIMITS.taxPctMax)) },
  state: {
    enum: [...STATE_CODES, null],
    description: describeInLanguages(rejectionTexts.oneOf(STATE_CODES.join(', '))),
  },
} as const;

const ID = new RegExp(KIND_SCHEMAS.id.pattern);

function toSchemas<Spec extends FieldSpec>(specs: readonly Spec[]): SchemasOf<Spec, 'string'> {
  const entries = specs.map(({ name, kind, isNullable }) => [
    name,
    { ...KIND_SCHEMAS[kind], type: isNullable ? ['string', 'null'] : 'string' },
  ]);
  return Object.fromEntries(entries) as SchemasOf<Spec, 'string'>;
}

const concept = {
  type: 'object',
  additionalProperties: false,
  required: CONCEPT_FIELDS.map(({ name }) => name),
  properties: toSchemas(CONCEPT_FIELDS),
  description: describeInLanguages(rejectionTexts.object),
} as const;

/** The fields of a record, except its concepts. */
const RECORD_FIELDS = [
  { name: 'supplier_id', kind: 'id' },
  ...INVOICE_FIELDS.filter((spec) => !('writer' in spec && spec.writer === 'service')),
  { name: 'declared_tax_pct', kind: 'percentage', isNullable: true, writer: 'declaration' },
] as const;

/** Fields that lists and sheets of the service contain, and that an import ignores. */
export const IGNORED_FIELDS: readonly string[] = INVOICE_FIELDS.flatMap((spec): string[] =>
  'writer' in spec && spec.writer === 'service' ? [spec.name] : [],
).concat('revision', 'version', 'declared_at', 'reason', 'decision');

/**
 * The schema of an invoice to import. Its numbers are strings with the original digits. An absent property keeps the
 * stored value, and null clears it.
 */
export const recordSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['invoice_id', 'supplier_id'],
  properties: {
    ...toSchemas(RECORD_FIELDS),
    declared_notes: { ...createTextSchema(LIMITS.notesLength), type: ['string', 'null'] },
    provider_invoice_number: { ...createTextSchema(LIMITS.invoiceNumberLength), type: ['string', 'null'] },
    state_code: { ...KIND_SCHEMAS.state, type: ['string', 'null'] },
    concepts: { type: ['array', 'null'], items: concept, description: describeInLanguages(rejectionTexts.list) },
    ...(Object.fromEntries(IGNORED_FIELDS.map((name) => [name, {}])) as object),
    decision: { type: 'null', description: describeInLanguages(rejectionTexts.decision) },
  },
  description: describeInLanguages(rejectionTexts.object),
} as const;

export type InvoiceRecord = FromSchema<typeof recordSchema>;

/** The fields that a record must also contain if the invoice does not exist. */
export const REQUIRED_ON_CREATE = IMPORTED_FIELDS.flatMap((spec) => ('isNullable' in spec ? [] : [spec.name]));

/** True if the value has the form of an id of an invoice or a supplier. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && ID.test(value);
}

export const IMPORT_FIELDS: readonly string[] = [...RECORD_FIELDS.map(({ name }) => name), 'concepts'];

export const FIELD_KINDS: ReadonlyMap<string, FieldSpec['kind']> = new Map(
  [...RECORD_FIELDS, ...CONCEPT_FIELDS].map(({ name, kind }) => [name, kind]),
);

export const isNumberField = (name: string) => isNumeric(FIELD_KINDS.get(name));
