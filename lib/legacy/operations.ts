import type { Validator } from '../contracts/contract.ts';
import * as validators from '../contracts/validators.generated.js';
import type { AccessKind } from '../domain/directory.ts';
import { ServiceError, createValidationError } from '../domain/errors.ts';
import { PORTAL_POLICIES, computeRateStatus } from '../domain/policies.ts';
import { unknownOperation } from '../domain/texts.ts';
import { createDeclareBatchEndpoint } from '../endpoints/declare-batch.ts';
import { createDeclareInvoiceEndpoint } from '../endpoints/declare-invoice.ts';
import { type Endpoint, type Success, type SupplierRequest, withoutPrefetch } from '../endpoints/endpoint.ts';
import { createGetHistoryEndpoint, type HistoryReader } from '../endpoints/get-history.ts';
import { createGetInvoiceEndpoint, type InvoiceReader } from '../endpoints/get-invoice.ts';
import { createListInvoicesEndpoint } from '../endpoints/list-invoices.ts';
import { createValidateAmountEndpoint } from '../endpoints/validate-amount.ts';
import { createBatchItemReader } from '../http/batch-items.ts';
import { addToState, type PortalMiddleware, type RequestState } from '../http/chain.ts';
import { removeEmptyParameters } from '../http/input.ts';
import { toPropertyFaults } from '../http/validation-details.ts';
import type { DeclarationStore } from '../invoices/declare-amounts.ts';
import type { InvoiceLists } from '../invoices/invoice-pages.ts';
import { type FieldNames, LEGACY_NAMES, type LegacyNames, toCurrentNames, toLegacyFault } from './protocol.ts';

/** A legacy request that has passed the access check. The body has legacy names and is not validated yet. */
type LegacyRequest = Omit<SupplierRequest<never>, 'input'> & { readonly body: unknown };

interface LegacyOperation extends LegacyNames {
  readonly run: (request: LegacyRequest) => Promise<Success>;
}

interface LegacyStores {
  readonly lists: InvoiceLists;
  readonly invoices: InvoiceReader;
  readonly histories: HistoryReader;
  readonly declarations: DeclarationStore;
}

/** Creates the operations of the legacy protocol, by WSName. */
export function createLegacyOperations({ lists, invoices, histories, declarations }: LegacyStores) {
  const list = withoutPrefetch(createListInvoicesEndpoint(lists));
  const get = withoutPrefetch(createGetInvoiceEndpoint(invoices));
  const getHistory = withoutPrefetch(createGetHistoryEndpoint(invoices, histories));
  const declareOne = withoutPrefetch(createDeclareInvoiceEndpoint(declarations));
  const declareBatch = createDeclareBatchEndpoint(declarations, createBatchItemReader(validators.declareInvoice));
  const validate = withoutPrefetch(createValidateAmountEndpoint(invoices));
  return {
    WSListarFacturas: createOperation(LEGACY_NAMES.WSListarFacturas, validators.listInvoices, list),
    WSHistorialFactura: createOperation(LEGACY_NAMES.WSHistorialFactura, validators.getHistory, getHistory),
    WSObtenerFactura: createOperation(LEGACY_NAMES.WSObtenerFactura, validators.getInvoice, get),
    WSDeclararFactura: createOperation(LEGACY_NAMES.WSDeclararFactura, validators.declareInvoice, declareOne),
    WSDeclararFacturas: createOperation(LEGACY_NAMES.WSDeclararFacturas, validators.declareBatch, declareBatch),
    WSValidarFactura: createOperation(LEGACY_NAMES.WSValidarFactura, validators.validateAmount, validate),
  } satisfies Record<keyof typeof LEGACY_NAMES, LegacyOperation>;
}

/**
 * Requires that the path contains the WSName of an operation, in any case. Throws NOT_FOUND for another name. The
 * operation determines the required permission, and the rate limit that the response headers contain.
 */
export function requireOperation(
  operations: Readonly<Record<string, LegacyOperation>>,
): PortalMiddleware<RequestState, { readonly operation: LegacyOperation; readonly accessKind: AccessKind }> {
  const entries = Object.entries(operations).map(([name, operation]) => [name.toLowerCase(), operation] as const);
  const operationsByName = new Map(entries);
  return addToState(({ event: { state, pathParameters } }) => {
    const operation = operationsByName.get(pathParameters?.['WSName']?.toLowerCase() ?? '');
    if (!operation) throw new ServiceError('NOT_FOUND', unknownOperation, { reason: 'unknown-operation' });
    const accessKind = operation.contract.access;
    // Until the request is counted, the rate headers show an unused limit.
    state.rate = computeRateStatus(PORTAL_POLICIES[accessKind], [], state.receivedAt.getTime());
    return { operation, accessKind };
  });
}

/** Creates an operation, which converts the input to the current names, validates it, and calls the endpoint. */
function createOperation<Name extends string, Input>(
  names: LegacyNames & { readonly contract: { readonly name: Name } },
  validate: Validator<NoInfer<Name>, Input>,
  endpoint: Endpoint<Input>,
): LegacyOperation {
  return {
    ...names,
    async run(request) {
      const input = removeEmptyParameters(names.contract, toCurrentNames(request.body, names.request));
      try {
        if (!validate(input)) throw createValidationError(toPropertyFaults(validate.errors ?? [], 'body'));
        const success = await endpoint({ ...request, input });
        if (!success.itemErrors) return success;
        const itemErrors = success.itemErrors.map((error) => error && toLegacyError(error, names.request));
        return { ...success, itemErrors };
      } catch (error) {
        throw toLegacyError(error, names.request);
      }
    },
  };
}

/** Converts the property names in the details of a ServiceError to legacy names. Returns any other error unchanged. */
export function toLegacyError<Thrown>(error: Thrown, names: FieldNames): Thrown | ServiceError {
  if (!(error instanceof ServiceError) || !error.details) return error;
  const { code, text, reason, cause } = error;
  const details = error.details.map((fault) => toLegacyFault(fault, names));
  return new ServiceError(code, text, { reason, cause, details });
}
