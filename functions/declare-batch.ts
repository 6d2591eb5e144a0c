import middy from '@middy/core';
import { declareBatchPorts } from '../lib/composition/handler-ports.ts';
import { declareBatchContract as contract } from '../lib/contracts/declare-batch.ts';
import { declareBatch as validate } from '../lib/contracts/validators.generated.js';
import { declareBatch } from '../lib/endpoints/declare-batch.ts';
import { activeUser, apiKey, openSession, rateLimit, readAccess, supplierPermission } from '../lib/http/access.ts';
import { answerHeaders } from '../lib/http/answer-headers.ts';
import { typedChain } from '../lib/http/chain.ts';
import { jwt, tenant } from '../lib/http/credentials.ts';
import { envelope, unexpectedErrors } from '../lib/http/envelope.ts';
import { input } from '../lib/http/input.ts';
import { jsonBody } from '../lib/http/json-body.ts';
import { requestLog, requestState } from '../lib/http/request.ts';
import { unicodeText } from '../lib/http/unicode-text.ts';
import { PORTAL_POLICIES } from '../lib/rate-limit/policies.ts';

const ports = declareBatchPorts();

/** POST /apidev/v1/supplier-portal/invoices/declare-batch */
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
  .use(jsonBody())
  .use(input(contract, validate))
  .handler(declareBatch(ports.declarations));
