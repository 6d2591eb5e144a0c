import { getInvoiceContract, type GetInvoiceInput } from '../lib/contracts/get-invoice.ts';
import { getInvoice as validate } from '../lib/contracts/validators.generated.js';
import { toInvoiceDetail } from '../lib/contracts/wire.ts';
import { supplierEndpoint } from '../lib/http/supplier-endpoint.ts';
import { tableName } from '../lib/runtime/env.ts';
import { createDocumentClient } from '../lib/storage/document-client.ts';
import { createInvoiceTable } from '../lib/storage/invoice-table.ts';
import { getInvoice } from '../lib/usecases/get-invoice.ts';
import { supplierPorts } from '../lib/composition/supplier-ports.ts';

const client = createDocumentClient();
const invoices = createInvoiceTable(client, tableName('INVOICES'));

/** GET /apidev/v1/supplier-portal/invoices/{id} */
export const handler = supplierEndpoint<GetInvoiceInput>(
  getInvoiceContract,
  validate,
  supplierPorts(client),
  async ({ caller, input }) => {
    const invoice = await getInvoice(invoices, caller.scope, input.id);
    return { data: toInvoiceDetail(invoice, caller.tolerance) };
  },
);
