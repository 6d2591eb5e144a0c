import type { FromSchema } from 'json-schema-to-ts';
import { INVOICE_YEAR } from '../../../lib/client/spreadsheets/read-date.ts';
import { STATE_CODES } from '../../../lib/domain/invoice-states.ts';
import type { Text } from '../../../lib/domain/language.ts';
import { LIMITS } from '../../../lib/domain/limits.ts';
import { rejectionTexts } from '../texts/ops-texts.ts';

interface FieldSchema {
  readonly format?: string;
  readonly pattern?: string;
  readonly errorText: Text;
}

// The kinds of fields. A number field is also a string, so that it keeps all digits of the file.
const ID = { pattern: `^[0-9]{1,${LIMITS.idDigits}}$`, errorText: rejectionTexts.digits(LIMITS.idDigits) };
const DATE = { format: 'iso8601', errorText: rejectionTexts.date };
const INVOICE_DATE = { format: 'iso8601', pattern: INVOICE_YEAR.source, errorText: rejectionTexts.invoiceDate };
const WEB_ADDRESS = { format: 'web-address', maxLength: 1000, errorText: rejectionTexts.webAddress };
const AMOUNT = { format: 'amount', errorText: rejectionTexts.number(0, LIMITS.amountMax) };
const SIGNED_AMOUNT = { format: 'signed-amount', errorText: rejectionTexts.numberUpTo(LIMITS.amountMax) };
const PERCENTAGE = { format: 'percentage', errorText: rejectionTexts.number(0, LIMITS.taxPctMax) };
const STATE = { enum: [...STATE_CODES, null], errorText: rejectionTexts.oneOf(STATE_CODES.join(', ')) } as const;
const TEXT = createTextKind(1000);

const concept = {
  type: 'object',
  additionalProperties: false,
  required: ['concept_id', 'description', 'unit_amount', 'quantity', 'tax_pct', 'total'],
  properties: {
    concept_id: buildString(TEXT),
    description: buildString(TEXT),
    unit_amount: buildString(SIGNED_AMOUNT),
    quantity: buildString(SIGNED_AMOUNT),
    tax_pct: buildString(PERCENTAGE),
    total: buildString(SIGNED_AMOUNT),
  },
  errorText: rejectionTexts.object,
} as const;

/** The fields of a notice, which the company shows to the supplier, in records, review sheets and `set-state`. */
export const NOTICE_PROPERTIES = {
  message: buildNullableString(createTextKind(LIMITS.messageLength)),
  approved_amount: buildNullableString(AMOUNT),
  paid_on: buildNullableString(DATE),
  payment_reference: buildNullableString(createTextKind(LIMITS.paymentReferenceLength)),
} as const;

const IMPORTED_PROPERTIES = {
  supplier_id: buildString(ID),
  invoice_id: buildString(ID),
  invoice_date: buildNullableString(INVOICE_DATE),
  service_id: buildString(ID),
  service_number: buildNullableString(TEXT),
  service_call_date: buildNullableString(DATE),
  account_name: buildNullableString(TEXT),
  city: buildNullableString(TEXT),
  system_amount: buildString(AMOUNT),
  declaration_id: buildNullableString(TEXT),
  declared_amount: buildNullableString(AMOUNT),
  declared_notes: buildNullableString(createTextKind(LIMITS.notesLength)),
  provider_invoice_number: buildNullableString(createTextKind(LIMITS.invoiceNumberLength)),
  provider_invoice_date: buildNullableString(DATE),
  state_code: buildNullableString(STATE),
  attachment_url: buildNullableString(WEB_ADDRESS),
  attachment_filename: buildNullableString(TEXT),
  declared_tax_pct: buildNullableString(PERCENTAGE),
  ...NOTICE_PROPERTIES,
  concepts: { type: ['array', 'null'], items: concept, errorText: rejectionTexts.list },
} as const;

/** Fields that lists and sheets of the service contain, and that an import ignores. */
const IGNORED_PROPERTIES = {
  state_name: {},
  difference: {},
  difference_pct: {},
  revision: {},
  version: {},
  same_number: {},
  declared_at: {},
  reason: {},
  decision: { type: 'null', errorText: rejectionTexts.decision },
} as const;

/** The schema of a record. An absent property keeps the stored value, and null clears it. Numbers are strings. */
export const recordSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['invoice_id', 'supplier_id'],
  properties: { ...IMPORTED_PROPERTIES, ...IGNORED_PROPERTIES },
  errorText: rejectionTexts.object,
} as const;

export type InvoiceRecord = FromSchema<typeof recordSchema>;
export type ImportedField = keyof typeof IMPORTED_PROPERTIES;

export const IMPORT_FIELDS: readonly string[] = Object.keys(IMPORTED_PROPERTIES);
export const IGNORED_FIELDS: readonly string[] = Object.keys(IGNORED_PROPERTIES);

/** The fields that a record must also contain if the invoice does not exist. */
export const REQUIRED_ON_CREATE = ['service_id', 'system_amount'] as const;

/** The schemas of the fields of invoices and of their concepts. */
const FIELD_SCHEMAS: ReadonlyMap<string, FieldSchema> = new Map(
  Object.entries<FieldSchema>({ ...IMPORTED_PROPERTIES, ...concept.properties }),
);

/** True if the value has the form of an id of an invoice or a supplier. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && new RegExp(ID.pattern).test(value);
}

/** True if a field contains an amount, a quantity or a percentage. */
export function isNumberField(name: string): boolean {
  const format = FIELD_SCHEMAS.get(name)?.format ?? '';
  return ['amount', 'signed-amount', 'percentage'].includes(format);
}

/** Returns the kind of the cells in the column of a field. */
export function getColumnKind(name: string) {
  const { format, pattern } = FIELD_SCHEMAS.get(name) ?? {};
  if (pattern === ID.pattern) return 'id';
  if (format === 'iso8601') return 'date';
  return format === 'amount' || format === 'percentage' ? format : 'text';
}

function createTextKind(maxLength: number) {
  return { format: 'text', maxLength, errorText: rejectionTexts.text(maxLength) };
}

function buildString<const Kind extends object>(kind: Kind) {
  return { type: 'string', ...kind } as const;
}

function buildNullableString<const Kind extends object>(kind: Kind) {
  return { type: ['string', 'null'], ...kind } as const;
}
