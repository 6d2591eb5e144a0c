import { createDeclarationPort, createSupplierPorts } from '../lib/composition/handler-ports.ts';
import { declareInvoiceContract as contract } from '../lib/contracts/declare-invoice.ts';
import { declareInvoice as validate } from '../lib/contracts/validators.generated.js';
import { createDeclareInvoiceEndpoint } from '../lib/endpoints/declare-invoice.ts';
import * as middleware from '../lib/http/middleware.ts';

const ports = createSupplierPorts();
const endpoint = createDeclareInvoiceEndpoint(createDeclarationPort(ports.client));

/**
 * POST /apidev/v1/supplier-portal/invoices/declare: declares an amount. Nothing is written before the access check. An
 * invalid body is reported only after the check, so that a caller without access learns nothing.
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
