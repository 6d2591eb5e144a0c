import { createInvoicePort, createSupplierPorts } from '../lib/composition/handler-ports.ts';
import { getInvoiceContract as contract } from '../lib/contracts/get-invoice.ts';
import { getInvoice as validate } from '../lib/contracts/validators.generated.js';
import { getInvoice } from '../lib/endpoints/get-invoice.ts';
import * as http from '../lib/http/middleware.ts';

const ports = createSupplierPorts();
const endpoint = getInvoice(createInvoicePort(ports.client));

export const handler = http
  .portalResponses(contract)
  .use(http.tenant())
  .use(http.jwt(ports.verifyToken))
  .use(http.parse(http.pathParameters(), contract, validate))
  .use(http.load(contract.access, ports, endpoint))
  .use(http.checkAccess())
  .use(http.validInput())
  .use(http.found(endpoint))
  .handler(endpoint.respond);
