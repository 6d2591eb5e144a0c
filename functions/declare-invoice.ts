import { createAccessPorts } from '../lib/composition/access-ports.ts';
import { declareInvoiceContract as contract } from '../lib/contracts/declare-invoice.ts';
import { declareInvoice as validate } from '../lib/contracts/validators.generated.js';
import { createDeclareInvoiceEndpoint } from '../lib/endpoints/declare-invoice.ts';
import { readBody } from '../lib/http/input.ts';
import { createSupplierHandler } from '../lib/http/supplier-handler.ts';
import { getTableName } from '../lib/runtime/env.ts';
import { createTableClient } from '../lib/tables/dynamodb/table-client.ts';
import { createDeclarationStore } from '../lib/tables/invoice-transaction.ts';

const client = createTableClient();
const tables = { invoices: getTableName('INVOICES'), declarations: getTableName('DECLARATIONS') };

/** POST /apidev/v1/supplier-portal/invoices/declare: declares an amount. Nothing is written before the access check. */
export const handler = createSupplierHandler({
  contract,
  read: readBody,
  validate,
  endpoint: createDeclareInvoiceEndpoint(createDeclarationStore(client, tables)),
  ports: createAccessPorts(client),
});
