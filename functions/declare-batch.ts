import { createAccessPorts } from '../lib/composition/access-ports.ts';
import { declareBatchContract as contract } from '../lib/contracts/declare-batch.ts';
import { declareBatch as validate, declareInvoice as validateItem } from '../lib/contracts/validators.generated.js';
import { createDeclareBatchEndpoint } from '../lib/endpoints/declare-batch.ts';
import { createBatchItemReader } from '../lib/http/batch-items.ts';
import { readBody } from '../lib/http/input.ts';
import { createSupplierHandler } from '../lib/http/supplier-handler.ts';
import { getTableName } from '../lib/runtime/env.ts';
import { createTableClient } from '../lib/tables/dynamodb/table-client.ts';
import { createDeclarationStore } from '../lib/tables/invoice-transaction.ts';

const client = createTableClient();
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
  read: readBody,
  validate,
  endpoint: { read: async () => null, respond: declareBatch },
  ports: createAccessPorts(client),
});
