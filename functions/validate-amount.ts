import { createAccessPorts } from '../lib/composition/access-ports.ts';
import { validateAmountContract as contract } from '../lib/contracts/validate-amount.ts';
import { validateAmount as validate } from '../lib/contracts/validators.generated.js';
import { createValidateAmountEndpoint } from '../lib/endpoints/validate-amount.ts';
import { readBody } from '../lib/http/input.ts';
import { createSupplierHandler } from '../lib/http/supplier-handler.ts';
import { getTableName } from '../lib/runtime/env.ts';
import { createTableClient } from '../lib/tables/dynamodb/table-client.ts';
import { createInvoiceTable } from '../lib/tables/invoice-table.ts';

const client = createTableClient();

/** POST /apidev/v1/supplier-portal/invoices/validate: evaluates an amount, and saves nothing. */
export const handler = createSupplierHandler({
  contract,
  read: readBody,
  validate,
  endpoint: createValidateAmountEndpoint(createInvoiceTable(client, getTableName('INVOICES'))),
  ports: createAccessPorts(client),
});
