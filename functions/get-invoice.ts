import { createAccessPorts } from '../lib/composition/access-ports.ts';
import { getInvoiceContract as contract } from '../lib/contracts/get-invoice.ts';
import { getInvoice as validate } from '../lib/contracts/validators.generated.js';
import { createGetInvoiceEndpoint } from '../lib/endpoints/get-invoice.ts';
import { readParameters } from '../lib/http/input.ts';
import { createSupplierHandler } from '../lib/http/supplier-handler.ts';
import { getTableName } from '../lib/runtime/env.ts';
import { createTableClient } from '../lib/tables/dynamodb/table-client.ts';
import { createInvoiceTable } from '../lib/tables/invoice-table.ts';

const client = createTableClient();

/** GET /apidev/v1/supplier-portal/invoices/{id}: returns an invoice. */
export const handler = createSupplierHandler({
  contract,
  read: readParameters,
  validate,
  endpoint: createGetInvoiceEndpoint(createInvoiceTable(client, getTableName('INVOICES'))),
  ports: createAccessPorts(client),
});
