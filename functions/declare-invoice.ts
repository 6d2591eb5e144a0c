import { declarationStore, supplierPorts } from '../lib/composition/handler-ports.ts';
import { declareInvoiceContract as contract } from '../lib/contracts/declare-invoice.ts';
import { declareInvoice as validate } from '../lib/contracts/validators.generated.js';
import { createDeclareInvoiceEndpoint } from '../lib/endpoints/declare-invoice.ts';
import * as middleware from '../lib/http/middleware.ts';

const ports = supplierPorts();
const endpoint = createDeclareInvoiceEndpoint(declarationStore(ports.client));

/**
 * POST /apidev/v1/supplier-portal/invoices/declare: declares the amount of one invoice.
 *
 * Tenant, token and API key are checked first, because the snapshot is read for the user in the token. The invoice is
 * prefetched together with the access snapshot, and nothing is written before the access check. The error of an invalid
 * body is kept until the access check has passed, so that a caller without access learns nothing from it.
 */
export const handler = middleware
  .createPortalChain(contract)
  .use(middleware.requireTenant())
  .use(middleware.requireTokenAndKey(ports.verifyToken))
  .use(middleware.parseInput(middleware.createBodyReader(), contract, validate))
  .use(middleware.loadAccess(contract.access, ports, endpoint))
  .use(middleware.checkAccess())
  .use(middleware.requireValidInput())
  .use(middleware.readEndpointData(endpoint))
  .handler(endpoint.respond);
