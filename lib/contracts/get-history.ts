import type { FromSchema } from 'json-schema-to-ts';
import type { Contract } from './contract.ts';
import { invoiceId, pageParameters } from './fields.ts';

const request = {
  type: 'object',
  required: ['id'],
  properties: { id: invoiceId, ...pageParameters },
} as const;

export type GetHistoryInput = FromSchema<typeof request, { keepDefaultedPropertiesOptional: true }>;

export const getHistoryContract = {
  name: 'get-history',
  method: 'GET',
  path: '/apidev/v1/supplier-portal/invoices/{id}/history',
  tag: 'Invoices',
  access: 'read',
  source: 'parameters',
  request,
  errors: ['NOT_FOUND'],
} as const satisfies Contract;
