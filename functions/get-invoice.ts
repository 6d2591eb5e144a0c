import middy from '@middy/core';
import { getInvoicePorts } from '../lib/composition/handler-ports.ts';
import { getInvoiceContract as contract } from '../lib/contracts/get-invoice.ts';
import { getInvoice as validate } from '../lib/contracts/validators.generated.js';
import { getInvoice } from '../lib/endpoints/get-invoice.ts';
import { activeUser, apiKey, openSession, rateLimit, readAccess, supplierPermission } from '../lib/http/access.ts';
import { answerHeaders } from '../lib/http/answer-headers.ts';
import { typedChain } from '../lib/http/chain.ts';
import { jwt, tenant } from '../lib/http/credentials.ts';
import { envelope, unexpectedErrors } from '../lib/http/envelope.ts';
import { input, pathParameters } from '../lib/http/input.ts';
import { requestLog, requestState } from '../lib/http/request.ts';
import { unicodeText } from '../lib/http/unicode-text.ts';
import { PORTAL_POLICIES } from '../lib/rate-limit/policies.ts';

const ports = getInvoicePorts();

/** GET /apidev/v1/supplier-portal/invoices/{id} */
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
  .use(pathParameters())
  .use(input(contract, validate))
  .handler(getInvoice(ports.invoices));
