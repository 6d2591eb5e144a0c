import { createDeclarationPort, createSupplierPorts } from '../lib/composition/handler-ports.ts';
import { declareBatchContract as contract } from '../lib/contracts/declare-batch.ts';
import { declareBatch as validate, declareInvoice as validateItem } from '../lib/contracts/validators.generated.js';
import { declareBatch } from '../lib/endpoints/declare-batch.ts';
import * as http from '../lib/http/middleware.ts';

const ports = createSupplierPorts();

export const handler = http
  .portalResponses(contract)
  .use(http.tenant())
  .use(http.jwt(ports.verifyToken))
  .use(http.parse(http.jsonBody({ except: /^declarations\[\d+\]\./ }), contract, validate))
  .use(http.load(contract.access, ports))
  .use(http.checkAccess())
  .use(http.validInput())
  .handler(declareBatch(createDeclarationPort(ports.client), http.batchItemReader(validateItem)));
