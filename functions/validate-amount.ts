import { createInvoicePort, createSupplierPorts } from '../lib/composition/handler-ports.ts';
import { validateAmountContract as contract } from '../lib/contracts/validate-amount.ts';
import { validateAmount as validate } from '../lib/contracts/validators.generated.js';
import { createValidateAmountEndpoint } from '../lib/endpoints/validate-amount.ts';
import * as middleware from '../lib/http/middleware.ts';

const ports = createSupplierPorts();
const endpoint = createValidateAmountEndpoint(createInvoicePort(ports.client));

/**
 * POST /apidev/v1/supplier-portal/invoices/validate: evaluates an amount, and saves nothing. An invalid body is
 * reported only after the access check, so that a caller without access learns nothing.
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
