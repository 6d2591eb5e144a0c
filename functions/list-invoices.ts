import { invoiceLists } from '../lib/composition/invoice-lists.ts';
import { serviceClient } from '../lib/composition/service-client.ts';
import { supplierPorts } from '../lib/composition/supplier-ports.ts';
import { listInvoicesContract } from '../lib/contracts/list-invoices.ts';
import { listInvoices as validate } from '../lib/contracts/validators.generated.js';
import { listInvoices } from '../lib/endpoints/list-invoices.ts';
import { supplierPipeline } from '../lib/http/supplier-pipeline.ts';

const client = serviceClient();
const endpoint = listInvoices(invoiceLists(client));

/** GET /apidev/v1/supplier-portal/invoices */
export const handler = supplierPipeline(listInvoicesContract, validate, supplierPorts(client)).handler(endpoint);
