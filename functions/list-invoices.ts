import { createListPorts, createSupplierPorts } from '../lib/composition/handler-ports.ts';
import { listInvoicesContract as contract } from '../lib/contracts/list-invoices.ts';
import { listInvoices as validate } from '../lib/contracts/validators.generated.js';
import { listInvoices } from '../lib/endpoints/list-invoices.ts';
import * as http from '../lib/http/middleware.ts';

const ports = createSupplierPorts();
const endpoint = listInvoices(createListPorts(ports.client));

export const handler = http
  .portalResponses(contract)
  .use(http.tenant())
  .use(http.jwt(ports.verifyToken))
  .use(http.parse(http.queryParameters(contract), contract, validate))
  .use(http.load(contract.access, ports, endpoint))
  .use(http.checkAccess())
  .use(http.validInput())
  .use(http.found(endpoint))
  .handler(endpoint.respond);
