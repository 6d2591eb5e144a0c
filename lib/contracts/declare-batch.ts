import type { Contract } from './contract.ts';
import { declarationRequest, type DeclareInvoiceInput } from './declare-invoice.ts';
import { batchData } from './fields.ts';

const MAX_DECLARATIONS = 100;

const request = {
  type: 'object',
  required: ['declarations'],
  properties: {
    declarations: {
      type: 'array',
      minItems: 1,
      maxItems: MAX_DECLARATIONS,
      // The items of an oversized array are not looked at: a body can hold hundreds of thousands of faults.
      if: { maxItems: MAX_DECLARATIONS },
      then: { items: declarationRequest },
    },
  },
} as const;

/** The body of a batch. */
export interface DeclareBatchInput {
  readonly declarations: readonly DeclareInvoiceInput[];
}

/** POST /apidev/v1/supplier-portal/invoices/declare-batch */
export const declareBatchContract = {
  name: 'declare-batch',
  method: 'POST',
  path: '/apidev/v1/supplier-portal/invoices/declare-batch',
  tag: 'Declarations',
  summary: 'Declare up to 100 amounts independently of each other',
  description:
    'Items are processed independently: the status is 200 even when some or all of them fail, and `results` says ' +
    'how each ended; of an item with INTERNAL_ERROR the message says whether the outcome is known, and to declare ' +
    'it again does no harm. An item that changes nothing is answered the same, and not written. An item that ' +
    'breaks the rules of a field makes the whole request a 400, and nothing is written.',
  access: 'write',
  source: 'body',
  request,
  response: batchData,
  paged: false,
  errors: [],
} as const satisfies Contract;
