import middy from '@middy/core';
import { getInvoicePorts } from '../lib/composition/handler-ports.ts';
import { getInvoiceContract as contract } from '../lib/contracts/get-invoice.ts';
import { getInvoice as validate } from '../lib/contracts/validators.generated.js';
import { getInvoice } from '../lib/endpoints/get-invoice.ts';
import { typedChain } from '../lib/http/chain.ts';
import * as http from '../lib/http/middleware.ts';
import { PORTAL_POLICIES } from '../lib/rate-limit/policies.ts';

const ports = getInvoicePorts();
const endpoint = getInvoice(ports.invoices);

/** GET /apidev/v1/supplier-portal/invoices/{id} */
export const handler = typedChain(middy())
  .use(http.requestState(contract.name))
  .use(http.requestLog())
  .use(http.answerHeaders(PORTAL_POLICIES[contract.access]))
  .use(http.envelope())
  .use(http.unexpectedErrors())
  .use(http.tenant())
  .use(http.jwt(ports.verifyToken))
  .use(http.early(http.unicodeText()))
  .use(http.early(http.pathParameters()))
  .use(http.early(http.input(contract, validate)))
  .use(http.readAhead(contract.access, endpoint, ports.limiter))
  .use(http.readAccess(contract.access, ports))
  .use(http.apiKey())
  .use(http.activeUser())
  .use(http.openSession())
  .use(http.rateLimit())
  .use(http.supplierPermission())
  .use(http.requireRead(endpoint.read))
  .handler(endpoint.answer);
