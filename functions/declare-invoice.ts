import { declarationStore } from '../lib/composition/declaration-store.ts';
import { serviceClient } from '../lib/composition/service-client.ts';
import { supplierPorts } from '../lib/composition/supplier-ports.ts';
import { declareInvoiceContract } from '../lib/contracts/declare-invoice.ts';
import { declareInvoice as validate } from '../lib/contracts/validators.generated.js';
import { declareInvoice } from '../lib/endpoints/declare-invoice.ts';
import { supplierEndpoint } from '../lib/http/supplier-endpoint.ts';

const client = serviceClient();
const endpoint = declareInvoice(declarationStore(client));

/** POST /apidev/v1/supplier-portal/invoices/declare */
export const handler = supplierEndpoint(declareInvoiceContract, validate, supplierPorts(client), endpoint);
