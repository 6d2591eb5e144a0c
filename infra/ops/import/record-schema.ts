import type { FromSchema } from 'json-schema-to-ts';
import { INVOICE_YEAR } from '../../../lib/client/spreadsheets/read-cell.ts';
import { STATE_CODES } from '../../../lib/domain/invoice-states.ts';
import type { Text } from '../../../lib/domain/language.ts';
import { LIMITS } from '../../../lib/domain/limits.ts';
import { rejectionTexts } from '../texts/ops-texts.ts';

// The kinds of fields. Numbers are texts, too, with the original digits.
const ID = { pattern: `^[0-9]{1,${LIMITS.idDigits}}$`, errorText: rejectionTexts.digits(LIMITS.idDigits) };
const DATE = { format: 'iso8601', errorText: rejectionTexts.date };
const INVOICE_DATE = { format: 'iso8601', pattern: INVOICE_YEAR.source, errorText: rejectionTexts.invoiceDate };
const WEB_ADDRESS = { format: 'web-address', maxLength: 1000, errorText: rejectionTexts.webAddress };
const AMOUNT = { format: 'amount', errorText: rejectionTexts.number(0, LIMITS.amountMax) };
const SIGNED_AMOUNT = { format: 'signed-amount', errorText: rejectionTexts.numberUpTo(LIMITS.amountMax) };
const PERCENTAGE = { format: 'percentage', errorText: rejectionTexts.number(0, LIMITS.taxPctMax) };
const STATE = { enum: [...STATE_CODES, null], errorText: rejectionTexts.oneOf(STATE_CODES.join(', ')) } as const;

function createTextKind(maxLength: number) {
  return { format: 'text', maxLength, errorText: rejectionTexts.text(maxLength) };
}

const TEXT = createTextKind(1000);

const text = <const Kind extends object>(kind: Kind) => ({ type: 'string', ...kind }) as const;
const textOrNull = <const Kind extends object>(kind: Kind) => ({ type: ['string', 'null'], ...kind }) as const;

const concept = {
  type: 'object',
  additionalProperties: false,
  required: ['concept_id', 'description', 'unit_amount', 'quantity', 'tax_pct', 'total'],
  properties: {
    concept_id: text(TEXT),
    description: text(TEXT),
    unit_amount: text(SIGNED_AMOUNT),
    quantity: text(SIGNED_AMOUNT),
    tax_pct: text(PERCENTAGE),
    total: text(SIGNED_AMOUNT),
  },
  errorText: rejectionTexts.object,
} as const;

/** The fields that the company tells the supplier, in records, in review sheets and in `set-state`. */
export const NOTICE_PROPERTIES = {
  message: textOrNull(createTextKind(LIMITS.messageLength)),
  approved_amount: textOrNull(AMOUNT),
  paid_on: textOrNull(DATE),
  payment_reference: textOrNull(createTextKind(LIMITS.paymentReferenceLength)),
} as const;

const IMPORTED_PROPERTIES = {
  supplier_id: text(ID),
  invoice_id: text(ID),
  invoice_date: textOrNull(INVOICE_DATE),
  service_id: text(ID),
  service_number: textOrNull(TEXT),
  service_call_date: textOrNull(DATE),
  account_name: textOrNull(TEXT),
  city: textOrNull(TEXT),
  system_amount: text(AMOUNT),
  declaration_id: textOrNull(TEXT),
  declared_amount: textOrNull(AMOUNT),
  declared_notes: textOrNull(createTextKind(LIMITS.notesLength)),
  provider_invoice_number: textOrNull(createTextKind(LIMITS.invoiceNumberLength)),
  provider_invoice_date: textOrNull(DATE),
  state_code: textOrNull(STATE),
  attachment_url: textOrNull(WEB_ADDRESS),
  attachment_filename: textOrNull(TEXT),
  declared_tax_pct: textOrNull(PERCENTAGE),
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

/**
 * The schema of an invoice to import. Its numbers are strings with the original digits. An absent property keeps the
 * stored value, and null clears it.
 */
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

/** True if the value has the form of an id of an invoice or a supplier. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && new RegExp(ID.pattern).test(value);
}

/** The formats of the fields of invoices and concepts, or their patterns. */
const FORMATS: ReadonlyMap<string, string | undefined> = new Map(
  Object.entries<{ readonly errorText: Text; readonly format?: string; readonly pattern?: string }>({
    ...IMPORTED_PROPERTIES,
    ...concept.properties,
  }).map(([name, { format, pattern }]) => [name, format ?? pattern]),
);

export function isNumberField(name: string): boolean {
  return ['amount', 'signed-amount', 'percentage'].includes(FORMATS.get(name) ?? '');
}

/** Returns the kind of the column of a field in a sheet. */
export function getColumnKind(name: string) {
  const format = FORMATS.get(name);
  if (format === 'iso8601') return 'date';
  if (format === ID.pattern) return 'id';
  return format === 'amount' || format === 'percentage' ? format : 'text';
}
