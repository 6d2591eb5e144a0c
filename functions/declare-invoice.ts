import { declarationStore, supplierPorts } from '../lib/composition/handler-ports.ts';
import { declareInvoiceContract as contract } from '../lib/contracts/declare-invoice.ts';
import { declareInvoice as validate } from '../lib/contracts/validators.generated.js';
import { declareInvoice } from '../lib/endpoints/declare-invoice.ts';
import * as http from '../lib/http/middleware.ts';

const ports = supplierPorts();
const endpoint = declareInvoice(declarationStore(ports.client));

/** POST /apidev/v1/supplier-portal/invoices/declare */
export const handler = http
  .portalResponses(contract)
  // Verify the token, and parse the input
  .use(http.tenant())
  .use(http.jwt(ports.verifyToken))
  .use(http.parse(http.jsonBody(), contract, validate))
  // One round trip: access snapshot, rate counter and the data of the endpoint
  .use(http.load(contract.access, ports, endpoint))
  // Access checks in the order of the interface, then the input
  .use(http.checkAccess())
  .use(http.validInput())
  .use(http.found(endpoint))
  .handler(endpoint.respond);
