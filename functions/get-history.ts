import { createAccessPorts } from '../lib/composition/access-ports.ts';
import { getHistoryContract as contract } from '../lib/contracts/get-history.ts';
import { getHistory as validate } from '../lib/contracts/validators.generated.js';
import { createGetHistoryEndpoint } from '../lib/endpoints/get-history.ts';
import { readParameters } from '../lib/http/input.ts';
import { createSupplierHandler } from '../lib/http/supplier-handler.ts';
import { getTableName } from '../lib/runtime/env.ts';
import { createTableClient } from '../lib/tables/dynamodb/table-client.ts';
import { createHistoryTable } from '../lib/tables/history-table.ts';
import { createInvoiceTable } from '../lib/tables/invoice-table.ts';

const client = createTableClient();
const invoices = createInvoiceTable(client, getTableName('INVOICES'));
const histories = createHistoryTable(client, getTableName('DECLARATIONS'));

/** GET /apidev/v1/supplier-portal/invoices/{id}/history: returns a page of the history of an invoice. */
export const handler = createSupplierHandler({
  contract,
  read: readParameters,
  validate,
  endpoint: createGetHistoryEndpoint(invoices, histories),
  ports: createAccessPorts(client),
});
