import { createInvoicePort, createSupplierPorts } from '../lib/composition/handler-ports.ts';
import { validateAmountContract as contract } from '../lib/contracts/validate-amount.ts';
import { validateAmount as validate } from '../lib/contracts/validators.generated.js';
import { validateAmount } from '../lib/endpoints/validate-amount.ts';
import * as http from '../lib/http/middleware.ts';

const ports = createSupplierPorts();
const endpoint = validateAmount(createInvoicePort(ports.client));

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
