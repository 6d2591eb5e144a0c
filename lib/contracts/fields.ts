import type { ErrorCode } from '../domain/errors.ts';
import { INVOICE_STATES, STATE_CODES } from '../domain/invoice-states.ts';
import { SMALLEST_STORED } from '../domain/money.ts';
import { ACTIONS, TOLERANCE_MODES, TOLERANCE_SOURCES } from '../domain/tolerance.ts';
import { count, exactly, filledText, flag, number, numberOrNull, oneOf, text, textOrNull } from './schemas.ts';

/** An invoice id in a request. */
export const invoiceId = {
  type: 'string',
  pattern: '^[0-9]+$',
  description: 'Invoice identifier, digits only',
} as const;

/** A submitted amount. */
export const amount = {
  type: 'number',
  minimum: 0,
  maximum: 999_999_999_999.99,
  // It would be stored as 0.
  not: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: Number(SMALLEST_STORED) },
  description: `Amount, rounded half-up to 6 decimals; 0, or at least ${SMALLEST_STORED}`,
} as const;

/** A row of the list. */
export const invoiceRow = exactly({
  invoice_id: invoiceId,
  invoice_date: textOrNull('Invoice date-time, ISO 8601'),
  service_id: text('Related service or task id'),
  service_number: textOrNull('Service display number'),
  service_call_date: textOrNull('When the service was requested, ISO 8601'),
  account_name: textOrNull('Account the service belongs to'),
  city: textOrNull('Service city'),
  system_amount: number('Amount calculated by the system'),
  declaration_id: textOrNull('Set when the supplier has already declared an amount'),
  declared_amount: numberOrNull('Amount declared by the supplier'),
  declared_notes: textOrNull('Notes on the declaration'),
  provider_invoice_number: textOrNull("Supplier's own invoice number"),
  provider_invoice_date: textOrNull("Supplier's own invoice date, as it was sent"),
  state_code: oneOf(STATE_CODES, 'Invoice state code'),
  state_name: text('Invoice state name, in Spanish'),
  difference: numberOrNull('Declared minus system amount'),
  difference_pct: numberOrNull('Difference as a percentage of the system amount, 4 decimals'),
  attachment_url: textOrNull('URL of the attached invoice file'),
  attachment_filename: textOrNull('Original file name of the attachment'),
});

/** A line item of an invoice. */
export const concept = exactly({
  concept_id: text('Concept catalog id'),
  description: text('Concept description'),
  unit_amount: number('Amount per unit'),
  quantity: number('Quantity'),
  tax_pct: number('Tax percentage applied'),
  total: number('Line total'),
});

/** The tolerance that applies to a supplier. */
export const tolerance = exactly({
  mode: {
    type: ['string', 'null'],
    enum: [...TOLERANCE_MODES, null],
    description: 'PCT: percentage; ABS: absolute; AMB: both limits must hold; null: none applies',
  },
  tolerance_pct: numberOrNull('Allowed percentage difference'),
  tolerance_abs: numberOrNull('Allowed absolute difference'),
  auto_approve: flag('Whether amounts within tolerance are approved automatically'),
  source: oneOf(TOLERANCE_SOURCES, 'Where the tolerance comes from: the supplier, the tenant, or nowhere'),
});

const outcomeProperties = {
  within_tolerance: flag('Whether the amount is within tolerance'),
  difference: number('Declared (or submitted) minus system amount'),
  difference_pct: number('Difference as a percentage of the system amount, 4 decimals'),
  difference_abs: number('Absolute difference'),
  action: oneOf(ACTIONS, 'Resulting action; REVIEW once the company has rejected or adjusted the invoice'),
  config_source: oneOf(
    TOLERANCE_SOURCES,
    'Where the applied tolerance comes from: the supplier, the tenant, or nowhere',
  ),
} as const;

/** How an amount compares with the tolerance. */
export const toleranceOutcome = exactly(outcomeProperties);

const declarationResultProperties = {
  declaration_id: text('Declaration identifier; the same when the invoice is declared again'),
  declared_amount: number('Amount now declared'),
  state_id: {
    type: 'integer',
    enum: Object.values(INVOICE_STATES).map(({ id }) => id),
    description: `Resulting state: ${STATE_CODES.map((code) => `${INVOICE_STATES[code].id} ${code}`).join(', ')}`,
  },
  tolerance: toleranceOutcome,
} as const;

/** `data` of the list. */
export const invoiceListData = exactly({
  rows: { type: 'array', items: invoiceRow, description: 'The page, newest first' },
  tolerance,
});

/** `data` of the detail. */
export const invoiceDetailData = exactly({
  ...invoiceRow.properties,
  concepts: { type: 'array', items: concept, description: 'Line items' },
  tolerance,
});

/** `data` of declare. */
export const declarationData = exactly(declarationResultProperties);

/** `data` of validate. */
export const amountCheckData = exactly({
  invoice_id: text('Invoice checked'),
  system_amount: number('Amount calculated by the system'),
  declared_amount: number('The submitted amount'),
  ...outcomeProperties,
});

/** A batch item that was declared. */
export const declaredItem = exactly({
  invoice_id: text('Invoice of the item'),
  success: { const: true },
  ...declarationResultProperties,
});

/** One invalid property of a request. */
export const propertyFault = exactly({
  property: text('Where it stands, such as `declarations[3].amount`'),
  constraints: {
    type: 'object',
    additionalProperties: { type: 'string' },
    minProperties: 1,
    description: 'A message for each constraint that it breaks, by the name of the constraint',
  },
});

/** The error codes that a single batch item can return. */
const ITEM_ERROR_CODES = ['NOT_FOUND', 'VALIDATION_ERROR', 'INTERNAL_ERROR'] as const satisfies readonly ErrorCode[];

/** A batch item that failed. */
export const failedItem = exactly({
  invoice_id: text('Invoice of the item'),
  success: { const: false },
  error: {
    type: 'object',
    additionalProperties: false,
    required: ['code', 'message'],
    properties: {
      code: oneOf(ITEM_ERROR_CODES, 'Machine-readable code'),
      message: filledText('Human-readable text'),
      details: {
        type: 'array',
        minItems: 1,
        items: propertyFault,
        description: 'Every invalid property of the item; present if the code is VALIDATION_ERROR',
      },
    },
  },
});

/** `data` of the batch. */
export const batchData = exactly({
  results: {
    type: 'array',
    items: { oneOf: [declaredItem, failedItem] },
    description: 'One entry for each submitted item, in the submitted order',
  },
  accepted: count('Items declared'),
  rejected: count('Items that failed'),
});
