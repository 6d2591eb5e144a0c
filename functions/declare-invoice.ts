import { declarationStore } from '../lib/composition/declaration-store.ts';
import { serviceClient } from '../lib/composition/service-client.ts';
import { supplierPorts } from '../lib/composition/supplier-ports.ts';
import { declareInvoiceContract } from '../lib/contracts/declare-invoice.ts';
import { declareInvoice as validate } from '../lib/contracts/validators.generated.js';
import { declareInvoice } from '../lib/endpoints/declare-invoice.ts';
import { supplierPipeline } from '../lib/http/supplier-pipeline.ts';

const client = serviceClient();
const endpoint = declareInvoice(declarationStore(client));

/** POST /apidev/v1/supplier-portal/invoices/declare */
export const handler = supplierPipeline(declareInvoiceContract, validate, supplierPorts(client)).handler(endpoint);
