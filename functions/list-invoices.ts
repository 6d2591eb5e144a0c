import { createListPort, createSupplierPorts } from '../lib/composition/handler-ports.ts';
import { listInvoicesContract as contract } from '../lib/contracts/list-invoices.ts';
import { listInvoices as validate } from '../lib/contracts/validators.generated.js';
import { createListInvoicesEndpoint } from '../lib/endpoints/list-invoices.ts';
import * as middleware from '../lib/http/middleware.ts';

const ports = createSupplierPorts();
const endpoint = createListInvoicesEndpoint(createListPort(ports.client));

/**
 * GET /apidev/v1/supplier-portal/invoices: returns a page of a list. `loadAccess` can start to read the page, but the
 * page is used only after `checkAccess`. An invalid query is also reported only after `checkAccess`, so that a caller
 * without access learns nothing.
 */
export const handler = middleware
  .createPortalChain(contract)
  .use(middleware.requireTenant())
  .use(middleware.requireTokenAndKey(ports.verifyToken))
  .use(middleware.parseInput(middleware.createQueryReader(contract), contract, validate))
  .use(middleware.loadAccess(contract.access, ports, endpoint))
  .use(middleware.checkAccess())
  .use(middleware.requireValidInput())
  .use(middleware.readEndpointData(endpoint))
  .handler(endpoint.respond);
