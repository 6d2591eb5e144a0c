import type { FromSchema } from 'json-schema-to-ts';
import { createInvoiceNotFoundError, createValidationError } from '../domain/errors.ts';
import { invoiceSettled } from '../domain/texts.ts';
import type { RejectionExample } from './contract.ts';
import type { declarationData, invoiceRow, tolerance, toleranceOutcome } from './response-data.ts';

// The parts of several examples. They are the responses to the first requests after `npm start`, which a test compares.

export const EXAMPLE_INVOICE: FromSchema<typeof invoiceRow> = {
  invoice_id: '9001',
  invoice_date: '2026-08-28T12:30:00Z',
  service_id: '59001',
  service_number: 'OS-2026-09001',
  service_call_date: '2026-08-28T12:30:00Z',
  account_name: 'Seguros La Pampa',
  city: 'Santa Rosa',
  system_amount: 1000,
  declaration_id: null,
  declared_amount: null,
  declared_notes: null,
  provider_invoice_number: null,
  provider_invoice_date: null,
  state_code: 'PEN',
  state_name: 'Pendiente',
  difference: null,
  difference_pct: null,
  attachment_url: null,
  attachment_filename: null,
};

export const EXAMPLE_TOLERANCE: FromSchema<typeof tolerance> = {
  mode: 'PCT',
  tolerance_pct: 5,
  tolerance_abs: null,
  auto_approve: true,
  source: 'proveedor',
};

/** The outcome of the amount 1050 for EXAMPLE_INVOICE. */
export const APPROVED_OUTCOME: FromSchema<typeof toleranceOutcome> = {
  within_tolerance: true,
  difference: 50,
  difference_pct: 5,
  difference_abs: 50,
  action: 'AUTO_APPROVE',
  config_source: 'proveedor',
};

/** The outcome of the amount 1050.01 for EXAMPLE_INVOICE. */
export const REVIEW_OUTCOME: FromSchema<typeof toleranceOutcome> = {
  within_tolerance: false,
  difference: 50.01,
  difference_pct: 5.001,
  difference_abs: 50.01,
  action: 'REVIEW',
  config_source: 'proveedor',
};

export const APPROVED_DECLARATION: FromSchema<typeof declarationData> = {
  declaration_id: '1795243070161803765',
  declared_amount: 1050,
  state_id: 3,
  tolerance: APPROVED_OUTCOME,
};

export const OTHERS_INVOICE = {
  en: 'An invoice of another supplier',
  es: 'Una factura de otro prestador',
  error: createInvoiceNotFoundError(),
};

/** The rejections of an amount, which are the same if the amount is declared and if it is only checked. */
export const AMOUNT_REJECTIONS: readonly RejectionExample[] = [
  {
    en: 'An id that is not a number and an amount below 0',
    es: 'Un id que no es un número y un importe menor que 0',
    input: { invoice_id: 'A-1', amount: -1 },
  },
  {
    en: 'A settled invoice',
    es: 'Una factura liquidada',
    input: { invoice_id: '9008', amount: 1050 },
    error: createSettledError('invoice_id'),
  },
  { ...OTHERS_INVOICE, input: { invoice_id: '9101', amount: 1050 } },
];

/** Creates the error of a settled invoice. `property` is the path of its id in the request. */
export function createSettledError(property: string) {
  return createValidationError([{ property, constraints: { state: invoiceSettled } }]);
}
