import middy from '@middy/core';
import { declareBatchPorts } from '../lib/composition/handler-ports.ts';
import { declareBatchContract as contract } from '../lib/contracts/declare-batch.ts';
import { declareBatch as validate, declareInvoice as validateItem } from '../lib/contracts/validators.generated.js';
import { declareBatch } from '../lib/endpoints/declare-batch.ts';
import { typedChain } from '../lib/http/chain.ts';
import * as http from '../lib/http/middleware.ts';
import { PORTAL_POLICIES } from '../lib/rate-limit/policies.ts';

const ports = declareBatchPorts();

/** POST /apidev/v1/supplier-portal/invoices/declare-batch */
export const handler = typedChain(middy())
  .use(http.requestState(contract.name))
  .use(http.requestLog())
  .use(http.answerHeaders(PORTAL_POLICIES[contract.access]))
  .use(http.envelope())
  .use(http.unexpectedErrors())
  .use(http.tenant())
  .use(http.jwt(ports.verifyToken))
  .use(http.readAccess(contract.access, ports))
  .use(http.apiKey())
  .use(http.activeUser())
  .use(http.openSession())
  .use(http.rateLimit())
  .use(http.supplierPermission())
  .use(http.unicodeText({ except: /^declarations\[\d+\]\./ }))
  .use(http.jsonBody())
  .use(http.input(contract, validate))
  .handler(declareBatch(ports.declarations, http.batchItemReader(validateItem)));
