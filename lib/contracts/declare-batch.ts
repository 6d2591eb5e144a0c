import type { Contract, JsonSchema } from './contract.ts';
import { declarationRequest } from './declare-invoice.ts';
import { batchData } from './fields.ts';

const MAX_DECLARATIONS = 100;

/** Builds the schema of a batch whose items have this schema. */
function batchOf<const Item extends JsonSchema>(items: Item) {
  return {
    type: 'object',
    required: ['declarations'],
    properties: {
      declarations: {
        type: 'array',
        minItems: 1,
        maxItems: MAX_DECLARATIONS,
        // The items of an oversized array are not validated: a body can contain hundreds of thousands of errors.
        if: { maxItems: MAX_DECLARATIONS },
        then: { items },
      },
    },
  } as const;
}

/** An item that names its invoice. Its other properties are not validated yet. */
export interface BatchItem {
  readonly invoice_id: string;
}

/** The body of a batch. Each item is validated on its own. */
export interface DeclareBatchInput {
  readonly declarations: readonly BatchItem[];
}

/** Returns the path of an item in the request, for example `declarations[3]`. */
export const itemPath = (index: number) => `declarations[${index}]`;

/** POST /apidev/v1/supplier-portal/invoices/declare-batch */
export const declareBatchContract = {
  name: 'declare-batch',
  method: 'POST',
  path: '/apidev/v1/supplier-portal/invoices/declare-batch',
  tag: 'Declarations',
  summary: 'Declare up to 100 amounts independently of each other',
  description:
    'Items are processed independently: the status is 200 even if some or all items fail, and `results` contains one ' +
    'entry per item. An item with an invalid property is rejected with VALIDATION_ERROR, and its `details` name every ' +
    'invalid property; the other items are declared. If an item fails with INTERNAL_ERROR, its message says whether it ' +
    'was saved. It is safe to send it again. An item that changes nothing returns the same result and is not saved ' +
    'again. The whole request is rejected with 400 only if `declarations` is missing, is not an array, is empty, has ' +
    'more than 100 items, or has an item that is not an object with a string `invoice_id`.',
  access: 'write',
  source: 'body',
  request: batchOf(declarationRequest),
  requestAsWhole: batchOf({ type: 'object', required: ['invoice_id'], properties: { invoice_id: { type: 'string' } } }),
  response: batchData,
  paged: false,
  errors: [],
} as const satisfies Contract;
