import type { Rules } from './rule.ts';
import { functions, integration } from './suites.ts';

const permission = functions.everyProtected('requires its permission: %s, %s');
const parallel = integration.rateLimit(
  'lets exactly 30 of 40 parallel reads and exactly 10 of 40 parallel writes pass',
);
const declareField = functions.declare('rejects %s that breaks %s: %j');
const declareBound = functions.declare('accepts %s at its bound: %j');
const batchArray = functions.batch('rejects declarations that break %s');
const batchAnswer = functions.batch('answers one entry per item in the submitted order, and the counts');
const batchAlone = integration.batch(
  'fails each item on its own account: good ones next to absent, foreign and settled ones',
);

/** The endpoints that declare amounts. */
export const declaring: Rules = {
  'declare-invoice/permission': ['APICLI_PORTALPROVEEDOR_WRITE', permission],
  'declare-invoice/rate limit': ['10 requests per minute, sliding window', parallel],
  'declare-invoice/upsert': [
    'When no declaration exists for the invoice it is created; otherwise the existing one is updated',
    integration.declare('is an upsert: what is sent is replaced, what is not sent is kept, the id stays'),
  ],
  'declare-invoice/invoice_id': ['Numeric string, digits only, required', declareField],
  'declare-invoice/amount': ['number, required: Must be >= 0', declareField, declareBound],
  'declare-invoice/notes': ['string, optional: Free text', declareField, declareBound],
  'declare-invoice/invoice_number': ["Supplier's own invoice number, max 60 characters", declareField, declareBound],
  'declare-invoice/invoice_date': ["ISO 8601, optional: Supplier's own invoice date", declareField, declareBound],
  'declare-invoice/tax_pct': ['number, optional: 0 to 100', declareField, declareBound],
  'declare-invoice/response': [
    'declaration_id, declared_amount, state_id, tolerance outcome. meta is an empty object',
    functions.declare('answers with the declaration, the resulting state and the tolerance outcome'),
  ],
  'declare-invoice/invalid': ['400 VALIDATION_ERROR (for example amount below 0)', declareField],
  'declare-invoice/not found': [
    "404 NOT_FOUND (invoice absent or not the supplier's)",
    integration.declare(
      "of an absent invoice, another supplier's or another tenant's is 404 NOT_FOUND and changes nothing",
    ),
  ],

  'declare-batch/permission': ['APICLI_PORTALPROVEEDOR_WRITE', permission],
  'declare-batch/rate limit': [
    '10 requests per minute, sliding window',
    parallel,
    integration.batch('counts as one request against the write limit, however many items it has'),
  ],
  'declare-batch/declarations': [
    '1 to 100 items. Each item has the same fields and rules as the declare body',
    batchArray,
    functions.batch('rejects an item whose %s breaks %s: %j'),
    functions.batch('accepts an item with %s at its bound: %j'),
    functions.batch('accepts 1 item and 100 items'),
  ],
  'declare-batch/results': ['One entry per submitted item, in the submitted order', batchAnswer],
  'declare-batch/accepted': ['Items declared successfully', batchAnswer, batchAlone],
  'declare-batch/rejected': ['Items that failed', batchAnswer, batchAlone],
  'declare-batch/entry': ['Each results entry has invoice_id and success (boolean)', batchAnswer],
  'declare-batch/entry that succeeded': ['also carries the declaration result fields', batchAnswer],
  'declare-batch/entry that failed': [
    'carries error {code, message}; for example code NOT_FOUND',
    batchAnswer,
    batchAlone,
  ],
  'declare-batch/rule 1': [
    'processed independently. 200 with per-item outcomes even when some or all items fail',
    batchAlone,
    integration.batch('answers 200 even when every item fails'),
  ],
  'declare-batch/rule 2': [
    'more than 100 items (or is empty or malformed), then the whole request fails with 400',
    batchArray,
    functions.batch('rejects an item that is no object'),
    integration.malformedBatch('of %s is a VALIDATION_ERROR on declarations'),
    integration.malformedBatch(
      'with one faulty item is refused whole: every fault of every item is named, and nothing is written',
    ),
  ],
};
