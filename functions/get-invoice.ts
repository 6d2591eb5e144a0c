import { serviceClient } from '../lib/composition/service-client.ts';
import { supplierPorts } from '../lib/composition/supplier-ports.ts';
import { getInvoiceContract } from '../lib/contracts/get-invoice.ts';
import { getInvoice as validate } from '../lib/contracts/validators.generated.js';
import { getInvoice } from '../lib/endpoints/get-invoice.ts';
import { supplierPipeline } from '../lib/http/supplier-pipeline.ts';
import { tableName } from '../lib/runtime/env.ts';
import { createInvoiceTable } from '../lib/storage/invoices/invoice-table.ts';

const client = serviceClient();
const endpoint = getInvoice(createInvoiceTable(client, tableName('INVOICES')));

/** GET /apidev/v1/supplier-portal/invoices/{id} */
export const handler = supplierPipeline(getInvoiceContract, validate, supplierPorts(client)).handler(endpoint);
