import { createInvoicePort, createSupplierPorts } from '../lib/composition/handler-ports.ts';
import { getInvoiceContract as contract } from '../lib/contracts/get-invoice.ts';
import { getInvoice as validate } from '../lib/contracts/validators.generated.js';
import { createGetInvoiceEndpoint } from '../lib/endpoints/get-invoice.ts';
import * as middleware from '../lib/http/middleware.ts';

const ports = createSupplierPorts();
const endpoint = createGetInvoiceEndpoint(createInvoicePort(ports.client));

/**
 * GET /apidev/v1/supplier-portal/invoices/{id}: returns an invoice. `loadAccess` starts to read the invoice, but the
 * invoice is used only after `checkAccess`. An invalid id is also reported only after `checkAccess`, so that a caller
 * without access learns nothing.
 */
export const handler = middleware
  .createPortalChain(contract)
  .use(middleware.requireTenant())
  .use(middleware.requireTokenAndKey(ports.verifyToken))
  .use(middleware.parseInput(middleware.createPathReader(), contract, validate))
  .use(middleware.loadAccess(contract.access, ports, endpoint))
  .use(middleware.checkAccess())
  .use(middleware.requireValidInput())
  .use(middleware.readEndpointData(endpoint))
  .handler(endpoint.respond);
