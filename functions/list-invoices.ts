import { invoiceLists, supplierPorts } from '../lib/composition/handler-ports.ts';
import { listInvoicesContract as contract } from '../lib/contracts/list-invoices.ts';
import { listInvoices as validate } from '../lib/contracts/validators.generated.js';
import { listInvoices } from '../lib/endpoints/list-invoices.ts';
import * as http from '../lib/http/middleware.ts';

const ports = supplierPorts();
const endpoint = listInvoices(invoiceLists(ports.client));

/** GET /apidev/v1/supplier-portal/invoices */
export const handler = http
  .portalResponses(contract)
  // Verify the token, and parse the input
  .use(http.tenant())
  .use(http.jwt(ports.verifyToken))
  .use(http.parse(http.queryParameters(contract), contract, validate))
  // One round trip: access snapshot, rate counter and the data of the endpoint
  .use(http.load(contract.access, ports, endpoint))
  // Access checks in the order of the interface, then the input
  .use(http.checkAccess())
  .use(http.validInput())
  .use(http.found(endpoint))
  .handler(endpoint.respond);
