import type { FromSchema } from 'json-schema-to-ts';
import type { Contract } from './contract.ts';
import { amount, invoiceId } from './fields.ts';

const request = {
  type: 'object',
  required: ['invoice_id', 'amount'],
  properties: { invoice_id: invoiceId, amount },
} as const;

export type ValidateAmountInput = FromSchema<typeof request>;

export const validateAmountContract = {
  name: 'validate-amount',
  method: 'POST',
  path: '/apidev/v1/supplier-portal/invoices/validate',
  tag: 'Declarations',
  access: 'read',
  source: 'body',
  request,
  errors: ['NOT_FOUND'],
} as const satisfies Contract;
