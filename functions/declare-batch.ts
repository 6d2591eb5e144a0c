import { createDeclarationPort, createSupplierPorts } from '../lib/composition/handler-ports.ts';
import { declareBatchContract as contract } from '../lib/contracts/declare-batch.ts';
import { declareBatch as validate, declareInvoice as validateItem } from '../lib/contracts/validators.generated.js';
import { createDeclareBatchEndpoint } from '../lib/endpoints/declare-batch.ts';
import * as middleware from '../lib/http/middleware.ts';

const ports = createSupplierPorts();

// Matches a property of an item, such as `declarations[3].notes`. The endpoint validates the items one by one.
const ITEM_PROPERTY = /^declarations\[\d+\]\./;

/**
 * POST /apidev/v1/supplier-portal/invoices/declare-batch: declares up to 100 amounts. No invoice is read before the
 * access check. An invalid body is reported only after the check, so that a caller without access learns nothing.
 */
export const handler = middleware
  .createPortalChain(contract)
  .use(middleware.requireTenant())
  .use(middleware.requireTokenAndKey(ports.verifyToken))
  .use(middleware.parseInput(middleware.createBodyReader({ except: ITEM_PROPERTY }), contract, validate))
  .use(middleware.loadAccess(contract.access, ports))
  .use(middleware.checkAccess())
  .use(middleware.requireValidInput())
  .handler(
    createDeclareBatchEndpoint(createDeclarationPort(ports.client), middleware.createBatchItemReader(validateItem)),
  );
