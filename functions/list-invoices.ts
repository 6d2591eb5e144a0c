import { createAccessPorts } from '../lib/composition/access-ports.ts';
import { listInvoicesContract as contract } from '../lib/contracts/list-invoices.ts';
import { listInvoices as validate } from '../lib/contracts/validators.generated.js';
import { createListInvoicesEndpoint } from '../lib/endpoints/list-invoices.ts';
import { readParameters } from '../lib/http/input.ts';
import { createSupplierHandler } from '../lib/http/supplier-handler.ts';
import { getTableName } from '../lib/runtime/env.ts';
import { createTableClient } from '../lib/tables/dynamodb/table-client.ts';
import { createInvoiceLists } from '../lib/tables/invoice-lists.ts';

const client = createTableClient();

/** GET /apidev/v1/supplier-portal/invoices: returns a page of a list. */
export const handler = createSupplierHandler({
  contract,
  read: readParameters,
  validate,
  endpoint: createListInvoicesEndpoint(createInvoiceLists(client, getTableName('INVOICES'))),
  ports: createAccessPorts(client),
});
