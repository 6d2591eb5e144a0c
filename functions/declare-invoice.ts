import { createDeclarationPort, createSupplierPorts } from '../lib/composition/handler-ports.ts';
import { declareInvoiceContract as contract } from '../lib/contracts/declare-invoice.ts';
import { declareInvoice as validate } from '../lib/contracts/validators.generated.js';
import { declareInvoice } from '../lib/endpoints/declare-invoice.ts';
import * as http from '../lib/http/middleware.ts';

const ports = createSupplierPorts();
const endpoint = declareInvoice(createDeclarationPort(ports.client));

export const handler = http
  .portalResponses(contract)
  .use(http.tenant())
  .use(http.jwt(ports.verifyToken))
  .use(http.parse(http.jsonBody(), contract, validate))
  .use(http.load(contract.access, ports, endpoint))
  .use(http.checkAccess())
  .use(http.validInput())
  .use(http.found(endpoint))
  .handler(endpoint.respond);
