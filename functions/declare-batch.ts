import { createAccessPorts } from '../lib/composition/access-ports.ts';
import { declareBatchContract as contract } from '../lib/contracts/declare-batch.ts';
import { declareBatch as validate, declareInvoice as validateItem } from '../lib/contracts/validators.generated.js';
import { createDeclareBatchEndpoint } from '../lib/endpoints/declare-batch.ts';
import { withoutRead } from '../lib/endpoints/endpoint.ts';
import { createBatchItemReader } from '../lib/http/batch-items.ts';
import { createBodyReader } from '../lib/http/input.ts';
import { createSupplierHandler } from '../lib/http/supplier-handler.ts';
import { getTableName } from '../lib/runtime/env.ts';
import { createDocumentClient } from '../lib/tables/dynamodb/document-client.ts';
import { createDeclarationStore } from '../lib/tables/invoice-transaction.ts';

// Matches a property of an item, such as `declarations[3].notes`. The endpoint validates the items one by one.
const ITEM_PROPERTY = /^declarations\[\d+\]\./;

const client = createDocumentClient();
const tables = { invoices: getTableName('INVOICES'), declarations: getTableName('DECLARATIONS') };
const declareBatch = createDeclareBatchEndpoint(
  createDeclarationStore(client, tables),
  createBatchItemReader(validateItem),
);

/**
 * POST /apidev/v1/supplier-portal/invoices/declare-batch: declares up to 100 amounts. No invoice is read before the
 * access check.
 */
export const handler = createSupplierHandler({
  contract,
  reader: createBodyReader({ except: ITEM_PROPERTY }),
  validate,
  endpoint: withoutRead(declareBatch),
  ports: createAccessPorts(client),
});
