import type { FromSchema } from 'json-schema-to-ts';
import type { Contract } from './contract.ts';
import { invoiceId } from './fields.ts';

const request = { type: 'object', required: ['id'], properties: { id: invoiceId } } as const;

export type GetInvoiceInput = FromSchema<typeof request>;

export const getInvoiceContract = {
  name: 'get-invoice',
  method: 'GET',
  path: '/apidev/v1/supplier-portal/invoices/{id}',
  tag: 'Invoices',
  access: 'read',
  source: 'parameters',
  request,
  errors: ['NOT_FOUND'],
} as const satisfies Contract;
