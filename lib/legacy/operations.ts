import type { Validator } from '../contracts/contract.ts';
import * as validators from '../contracts/validators.generated.js';
import type { AccessKind } from '../domain/directory.ts';
import { ServiceError, validationError } from '../domain/errors.ts';
import { unknownOperation } from '../domain/texts.ts';
import { declareBatch } from '../endpoints/declare-batch.ts';
import { declareInvoice } from '../endpoints/declare-invoice.ts';
import { type Endpoint, type Success, type SupplierRequest, withoutPrefetch } from '../endpoints/endpoint.ts';
import { getInvoice, type InvoiceReader } from '../endpoints/get-invoice.ts';
import { listInvoices } from '../endpoints/list-invoices.ts';
import { validateAmount } from '../endpoints/validate-amount.ts';
import { addToState, type After, type PortalMiddleware, type RequestState } from '../http/chain.ts';
import { batchItemReader, withoutEmpty } from '../http/input.ts';
import { toDetails } from '../http/validation-details.ts';
import { PORTAL_POLICIES, rateStatus } from '../access/policies.ts';
import type { DeclarationStore } from '../invoices/declare-amounts.ts';
import type { InvoiceLists } from '../invoices/invoice-lists.ts';
import { type FieldNames, LEGACY_NAMES, type LegacyNames, toCurrentNames, toLegacyFault } from './protocol.ts';

/** A legacy request that has passed every check, with its body in legacy names. */
export type LegacyRequest = Omit<SupplierRequest<never>, 'input'> & { readonly body: unknown };

interface LegacyOperation extends LegacyNames {
  readonly run: (request: LegacyRequest) => Promise<Success>;
}

interface LegacyStores {
  readonly lists: InvoiceLists;
  readonly invoices: InvoiceReader;
  readonly declarations: DeclarationStore;
}

export function legacyOperations({ lists, invoices, declarations }: LegacyStores) {
  const names = LEGACY_NAMES;
  const declareOne = withoutPrefetch(declareInvoice(declarations));
  const declareAll = declareBatch(declarations, batchItemReader(validators.declareInvoice));
  return {
    WSListarFacturas: runnable(names.WSListarFacturas, validators.listInvoices, withoutPrefetch(listInvoices(lists))),
    WSObtenerFactura: runnable(names.WSObtenerFactura, validators.getInvoice, withoutPrefetch(getInvoice(invoices))),
    WSDeclararFactura: runnable(names.WSDeclararFactura, validators.declareInvoice, declareOne),
    WSDeclararFacturas: runnable(names.WSDeclararFacturas, validators.declareBatch, declareAll),
    WSValidarFactura: runnable(
      names.WSValidarFactura,
      validators.validateAmount,
      withoutPrefetch(validateAmount(invoices)),
    ),
  } satisfies Record<keyof typeof names, LegacyOperation>;
}

/**
 * Requires the path to name an operation, in any case. The operation determines the permission, and the limit that the
 * rate headers show.
 */
export function operation(
  operations: Readonly<Record<string, LegacyOperation>>,
): PortalMiddleware<
  RequestState & After<'unexpectedErrors'>,
  { readonly operation: LegacyOperation; readonly accessKind: AccessKind }
> {
  const byName = new Map(Object.entries(operations).map(([name, found]) => [name.toLowerCase(), found]));
  return addToState(({ event: { state, pathParameters } }) => {
    const found = byName.get(pathParameters?.['WSName']?.toLowerCase() ?? '');
    if (!found) throw new ServiceError('NOT_FOUND', unknownOperation, { reason: 'unknown-operation' });
    const accessKind = found.contract.access;
    state.rate = rateStatus(PORTAL_POLICIES[accessKind], [], state.receivedAt.getTime());
    return { operation: found, accessKind };
  });
}

function runnable<Name extends string, Input>(
  names: LegacyNames & { readonly contract: { readonly name: Name } },
  validate: Validator<NoInfer<Name>, Input>,
  endpoint: Endpoint<Input>,
): LegacyOperation {
  return {
    ...names,
    async run(request) {
      const input = withoutEmpty(names.contract, toCurrentNames(request.body, names.request));
      try {
        if (!validate(input)) throw validationError(toDetails(validate.errors ?? [], 'body'));
        const success = await endpoint({ ...request, input });
        const { itemErrors } = success;
        return itemErrors
          ? { ...success, itemErrors: itemErrors.map((error) => error && withLegacyNames(error, names.request)) }
          : success;
      } catch (error) {
        throw withLegacyNames(error, names.request);
      }
    },
  };
}

function withLegacyNames<Thrown>(error: Thrown, names: FieldNames): Thrown | ServiceError {
  if (!(error instanceof ServiceError) || !error.details) return error;
  const { code, text, reason, cause } = error;
  const details = error.details.map((fault) => toLegacyFault(fault, names));
  return new ServiceError(code, text, { reason, cause, details });
}
