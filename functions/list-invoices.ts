import middy from '@middy/core';
import { listInvoicesPorts } from '../lib/composition/handler-ports.ts';
import { listInvoicesContract as contract } from '../lib/contracts/list-invoices.ts';
import { listInvoices as validate } from '../lib/contracts/validators.generated.js';
import { listInvoices } from '../lib/endpoints/list-invoices.ts';
import { activeUser, apiKey, openSession, rateLimit, readAccess, supplierPermission } from '../lib/http/access.ts';
import { answerHeaders } from '../lib/http/answer-headers.ts';
import { typedChain } from '../lib/http/chain.ts';
import { jwt, tenant } from '../lib/http/credentials.ts';
import { envelope, unexpectedErrors } from '../lib/http/envelope.ts';
import { input, queryParameters } from '../lib/http/input.ts';
import { requestLog, requestState } from '../lib/http/request.ts';
import { unicodeText } from '../lib/http/unicode-text.ts';
import { PORTAL_POLICIES } from '../lib/rate-limit/policies.ts';

const ports = listInvoicesPorts();

/** GET /apidev/v1/supplier-portal/invoices */
export const handler = typedChain(middy())
  .use(requestState(contract.name))
  .use(requestLog())
  .use(answerHeaders(PORTAL_POLICIES[contract.access]))
  .use(envelope())
  .use(unexpectedErrors())
  .use(tenant())
  .use(jwt(ports.verifyToken))
  .use(readAccess(contract.access, ports))
  .use(apiKey())
  .use(activeUser())
  .use(openSession())
  .use(rateLimit())
  .use(supplierPermission())
  .use(unicodeText())
  .use(queryParameters(contract))
  .use(input(contract, validate))
  .handler(listInvoices(ports.lists));
