import type { ErrorCode } from '../domain/errors.ts';
import { HISTORY_KINDS } from '../domain/invoice-history.ts';
import { INVOICE_STATES, STATE_CODES } from '../domain/invoice-states.ts';
import { ACTIONS, TOLERANCE_MODES, TOLERANCE_SOURCES } from '../domain/tolerance.ts';
import { invoiceId } from './fields.ts';
import {
  count,
  closedObject,
  nonEmptyString,
  boolean,
  number,
  numberOrNull,
  oneOf,
  text,
  textOrNull,
} from './schemas.ts';

export const invoiceRow = closedObject({
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

export const concept = closedObject({
  concept_id: text('Concept catalog id'),
  description: text('Concept description'),
  unit_amount: number('Amount per unit'),
  quantity: number('Quantity'),
  tax_pct: number('Tax percentage applied'),
  total: number('Line total'),
});

export const tolerance = closedObject({
  mode: {
    type: ['string', 'null'],
    enum: [...TOLERANCE_MODES, null],
    description: 'PCT: percentage; ABS: absolute; AMB: both limits must hold; null: none applies',
  },
  tolerance_pct: numberOrNull('Allowed percentage difference'),
  tolerance_abs: numberOrNull('Allowed absolute difference'),
  auto_approve: boolean('True if amounts within tolerance are approved automatically'),
  source: oneOf(TOLERANCE_SOURCES, 'Where the tolerance comes from: the supplier, the tenant, or nowhere'),
});

export const toleranceOutcome = closedObject({
  within_tolerance: boolean('True if the amount is within tolerance'),
  difference: number('Declared (or submitted) minus system amount'),
  difference_pct: number('Difference as a percentage of the system amount, 4 decimals'),
  difference_abs: number('Absolute difference'),
  action: oneOf(ACTIONS, 'Resulting action; REVIEW once the company has rejected or adjusted the invoice'),
  config_source: oneOf(TOLERANCE_SOURCES, 'Where the tolerance comes from: the supplier, the tenant, or nowhere'),
});

/** The properties of a notice: what the supplier sees of a decision of the company. */
export const noticeProperties = {
  message: textOrNull('Message of the company to the supplier'),
  approved_amount: numberOrNull('Amount that the company pays instead of the declared amount'),
  paid_on: textOrNull('Date of the payment, ISO 8601'),
  payment_reference: textOrNull('Reference of the payment'),
} as const;

export const historyEntry = closedObject({
  changed_at: text('When the invoice was changed, ISO 8601 UTC'),
  kind: oneOf(Object.values(HISTORY_KINDS), 'Kind of the change'),
  state_code: oneOf(STATE_CODES, 'Invoice state code'),
  state_name: text('Invoice state name, in Spanish'),
  system_amount: number('Amount calculated by the system'),
  declared_amount: numberOrNull('Amount declared by the supplier'),
  difference: numberOrNull('Declared minus system amount'),
  action: {
    type: ['string', 'null'],
    enum: [...ACTIONS, null],
    description: 'Action that a declaration of the supplier caused; null for every other change',
  },
  ...noticeProperties,
  declared_by_me: boolean('True for a declaration by a user of the supplier'),
});

// A schema whose name ends in `Data` is the schema of `data` in a response.

export const declarationData = closedObject({
  declaration_id: text('Declaration identifier; the same when the invoice is declared again'),
  declared_amount: number('Amount now declared'),
  state_id: {
    type: 'integer',
    enum: Object.values(INVOICE_STATES).map(({ id }) => id),
    description: `Resulting state: ${STATE_CODES.map((code) => `${INVOICE_STATES[code].id} ${code}`).join(', ')}`,
  },
  tolerance: toleranceOutcome,
});

export const invoiceListData = closedObject({
  rows: { type: 'array', items: invoiceRow, description: 'The page, newest first' },
  tolerance,
});

export const invoiceDetailData = closedObject({
  ...invoiceRow.properties,
  concepts: { type: 'array', items: concept, description: 'Line items' },
  tolerance,
});

export const historyData = { type: 'array', items: historyEntry, description: 'The page, newest first' } as const;

export const amountCheckData = closedObject({
  invoice_id: text('Invoice checked'),
  system_amount: number('Amount calculated by the system'),
  declared_amount: number('The submitted amount'),
  ...toleranceOutcome.properties,
});

export const declaredItem = closedObject({
  invoice_id: text('Invoice of the item'),
  success: { const: true },
  ...declarationData.properties,
});

export const propertyFault = closedObject({
  property: text('Path of the property, for example `declarations[3].amount`'),
  constraints: {
    type: 'object',
    additionalProperties: { type: 'string' },
    minProperties: 1,
    description: 'A message for each violated constraint, by the name of the constraint',
  },
});

const ITEM_ERROR_CODES = ['NOT_FOUND', 'VALIDATION_ERROR', 'INTERNAL_ERROR'] as const satisfies readonly ErrorCode[];

export const failedItem = closedObject({
  invoice_id: text('Invoice of the item'),
  success: { const: false },
  error: {
    type: 'object',
    additionalProperties: false,
    required: ['code', 'message'],
    properties: {
      code: oneOf(ITEM_ERROR_CODES, 'Machine-readable code'),
      message: nonEmptyString('Human-readable text'),
      details: {
        type: 'array',
        minItems: 1,
        items: propertyFault,
        description: 'Every invalid property of the item; present if the code is VALIDATION_ERROR',
      },
    },
  },
});

export const batchData = closedObject({
  results: {
    type: 'array',
    items: { oneOf: [declaredItem, failedItem] },
    description: 'One entry for each submitted item, in the submitted order',
  },
  accepted: count('Items declared'),
  rejected: count('Items that failed'),
});
