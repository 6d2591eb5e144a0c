import type { FromSchema } from 'json-schema-to-ts';
import type { Contract } from './contract.ts';
import { amount, amountCheckData, invoiceId } from './fields.ts';

const request = {
  type: 'object',
  required: ['invoice_id', 'amount'],
  properties: { invoice_id: invoiceId, amount },
} as const;

/** The body of validate. */
export type ValidateAmountInput = FromSchema<typeof request>;

/** POST /apidev/v1/supplier-portal/invoices/validate */
export const validateAmountContract = {
  name: 'validate-amount',
  method: 'POST',
  path: '/apidev/v1/supplier-portal/invoices/validate',
  tag: 'Declarations',
  summary: 'Check an amount against the tolerance, without writing anything',
  description:
    'Nothing is written; the answer is what a declaration of the amount would come to. A settled invoice (LIQ) is ' +
    'refused, as a declaration would be.',
  access: 'read',
  source: 'body',
  request,
  response: amountCheckData,
  paged: false,
  errors: ['NOT_FOUND'],
} as const satisfies Contract;
