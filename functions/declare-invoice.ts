import middy from '@middy/core';
import { declareInvoicePorts } from '../lib/composition/handler-ports.ts';
import { declareInvoiceContract as contract } from '../lib/contracts/declare-invoice.ts';
import { declareInvoice as validate } from '../lib/contracts/validators.generated.js';
import { declareInvoice } from '../lib/endpoints/declare-invoice.ts';
import { typedChain } from '../lib/http/chain.ts';
import * as http from '../lib/http/middleware.ts';
import { PORTAL_POLICIES } from '../lib/rate-limit/policies.ts';

const ports = declareInvoicePorts();
const endpoint = declareInvoice(ports.declarations);

/** POST /apidev/v1/supplier-portal/invoices/declare */
export const handler = typedChain(middy())
  .use(http.requestState(contract.name))
  .use(http.requestLog())
  .use(http.answerHeaders(PORTAL_POLICIES[contract.access]))
  .use(http.envelope())
  .use(http.unexpectedErrors())
  .use(http.tenant())
  .use(http.jwt(ports.verifyToken))
  .use(http.early(http.unicodeText()))
  .use(http.early(http.jsonBody()))
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
