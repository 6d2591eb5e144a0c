import type { FromSchema } from 'json-schema-to-ts';
import { STATE_CODES } from '../../domain/invoice-states.ts';

function textUpTo(maxLength: number) {
  const description = `must be a text of at most ${maxLength} characters`;
  return { type: 'string', format: 'text', maxLength, description } as const;
}

const id = { type: 'string', pattern: '^[0-9]{1,20}$', description: 'must be a string of 1 to 20 digits' } as const;
const ID = new RegExp(id.pattern);
const text = textUpTo(1000);
const textOrNull = { ...text, type: ['string', 'null'] } as const;
const dateOrNull = {
  type: ['string', 'null'],
  format: 'iso8601',
  description: 'must be an ISO 8601 date or date-time',
} as const;
const amount = {
  type: 'string',
  format: 'amount',
  description: 'must be a number from 0 to 999999999999.99',
} as const;
const signedAmount = {
  type: 'string',
  format: 'signed-amount',
  description: 'must be a number up to 999999999999.99',
} as const;
const percentage = { type: 'string', format: 'percentage', description: 'must be a number from 0 to 100' } as const;

const concept = {
  type: 'object',
  additionalProperties: false,
  required: ['concept_id', 'description', 'unit_amount', 'quantity', 'tax_pct', 'total'],
  properties: {
    concept_id: text,
    description: text,
    unit_amount: signedAmount,
    quantity: signedAmount,
    tax_pct: percentage,
    total: signedAmount,
  },
  description: 'must be an object',
} as const;

/**
 * An invoice to import; its numbers are the digits that were written. A property that is absent keeps what is stored,
 * null clears it.
 */
export const recordSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['invoice_id', 'supplier_id'],
  properties: {
    invoice_id: id,
    supplier_id: id,
    invoice_date: dateOrNull,
    service_id: id,
    service_number: textOrNull,
    service_call_date: dateOrNull,
    account_name: textOrNull,
    city: textOrNull,
    system_amount: amount,
    declaration_id: textOrNull,
    declared_amount: { ...amount, type: ['string', 'null'] },
    declared_tax_pct: { ...percentage, type: ['string', 'null'] },
    declared_notes: { ...textUpTo(2000), type: ['string', 'null'] },
    provider_invoice_number: { ...textUpTo(60), type: ['string', 'null'] },
    provider_invoice_date: dateOrNull,
    state_code: {
      type: ['string', 'null'],
      enum: [...STATE_CODES, null],
      description: `must be one of ${STATE_CODES.join(', ')}`,
    },
    attachment_url: {
      type: ['string', 'null'],
      format: 'web-address',
      maxLength: 1000,
      description: 'must be an http or https address of at most 1000 characters',
    },
    attachment_filename: textOrNull,
    concepts: { type: ['array', 'null'], items: concept, description: 'must be a list' },
    // See IGNORED_FIELDS.
    state_name: {},
    difference: {},
    difference_pct: {},
    revision: {},
    declared_at: {},
    reason: {},
    decision: { type: 'null', description: 'is applied by the command decide, not by an import' },
  },
  description: 'must be an object',
} as const;

/** An invoice to import. */
export type InvoiceRecord = FromSchema<typeof recordSchema>;

/** What a record must also have when there is no such invoice yet. */
export const REQUIRED_OF_NEW = ['service_id', 'system_amount'] as const satisfies readonly (keyof InvoiceRecord)[];

/** Fields that lists and sheets of the service have, and an import ignores. */
export const IGNORED_FIELDS: readonly string[] = [
  ...['state_name', 'difference', 'difference_pct', 'revision', 'declared_at', 'reason', 'decision'],
];

/** True if the value is an id of an invoice or of a supplier. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && ID.test(value);
}

/** The fields of an invoice, in the order in which the service names them. */
export const FIELDS: readonly string[] = Object.keys(recordSchema.properties).filter(
  (name) => !IGNORED_FIELDS.includes(name),
);

/** The properties, of a record or a concept, that are written in one of these formats. */
function propertiesOf(...formats: string[]): ReadonlySet<string> {
  const all = Object.entries({ ...recordSchema.properties, ...concept.properties });
  return new Set(
    all.flatMap(([name, schema]) => ('format' in schema && formats.includes(schema.format) ? [name] : [])),
  );
}

/** The fields that hold dates. */
export const dateProperties = propertiesOf(dateOrNull.format);

/** The properties, of a record or a concept, that contain percentages. */
export const percentageProperties = propertiesOf(percentage.format);

/** The properties, of a record or a concept, that hold numbers. */
export const decimalProperties = propertiesOf(amount.format, signedAmount.format, percentage.format);

/** The fields by which lists sort. */
export const SORT_DATES = ['invoice_date', 'service_call_date'] as const satisfies readonly (keyof InvoiceRecord)[];
