import middy from '@middy/core';
import { listInvoicesPorts } from '../lib/composition/handler-ports.ts';
import { listInvoicesContract as contract } from '../lib/contracts/list-invoices.ts';
import { listInvoices as validate } from '../lib/contracts/validators.generated.js';
import { listInvoices } from '../lib/endpoints/list-invoices.ts';
import { typedChain } from '../lib/http/chain.ts';
import * as http from '../lib/http/middleware.ts';
import { PORTAL_POLICIES } from '../lib/rate-limit/policies.ts';

const ports = listInvoicesPorts();
const endpoint = listInvoices(ports.lists);

/** GET /apidev/v1/supplier-portal/invoices */
export const handler = typedChain(middy())
  .use(http.requestState(contract.name))
  .use(http.requestLog())
  .use(http.answerHeaders(PORTAL_POLICIES[contract.access]))
  .use(http.envelope())
  .use(http.unexpectedErrors())
  .use(http.tenant())
  .use(http.jwt(ports.verifyToken))
  .use(http.early(http.unicodeText()))
  .use(http.early(http.queryParameters(contract)))
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
