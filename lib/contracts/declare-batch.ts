import type { Contract, JsonSchema } from './contract.ts';
import { declarationRequest } from './declare-invoice.ts';
import { LIMITS } from '../domain/limits.ts';

function buildBatchSchema<const Item extends JsonSchema>(items: Item) {
  return {
    type: 'object',
    required: ['declarations'],
    properties: {
      declarations: {
        type: 'array',
        minItems: 1,
        maxItems: LIMITS.batchItems,
        // The items of an oversized array are not validated, because they could have hundreds of thousands of errors.
        if: { maxItems: LIMITS.batchItems },
        then: { items },
      },
    },
  } as const;
}

/** An item whose `invoice_id` is a string. The other properties are not validated yet. */
export type BatchItem = { readonly invoice_id: string };

export type DeclareBatchInput = { readonly declarations: readonly BatchItem[] };

export const buildItemPath = (index: number) => `declarations[${index}]`;

export const declareBatchContract = {
  name: 'declare-batch',
  method: 'POST',
  path: '/apidev/v1/supplier-portal/invoices/declare-batch',
  tag: 'Declarations',
  access: 'write',
  source: 'body',
  request: buildBatchSchema(declarationRequest),
  requestAsWhole: buildBatchSchema({
    type: 'object',
    required: ['invoice_id'],
    properties: { invoice_id: { type: 'string' } },
  }),
} as const satisfies Contract;
