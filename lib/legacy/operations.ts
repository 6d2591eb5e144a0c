import type { Validator } from '../contracts/contract.ts';
import * as validators from '../contracts/validators.generated.js';
import { ServiceError, validationError } from '../domain/errors.ts';
import { declareBatch } from '../endpoints/declare-batch.ts';
import { declareInvoice } from '../endpoints/declare-invoice.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { getInvoice, type InvoiceReader } from '../endpoints/get-invoice.ts';
import { listInvoices } from '../endpoints/list-invoices.ts';
import { validateAmount } from '../endpoints/validate-amount.ts';
import { withoutEmpty } from '../http/read-input.ts';
import { toDetails } from '../http/validation-details.ts';
import type { DeclarationStore } from '../services/declare-amounts.ts';
import type { InvoiceLists } from '../services/invoice-lists.ts';
import { toCurrentNames, toLegacyFault } from './names.ts';
import { type FieldNames, LEGACY_NAMES, type LegacyNames } from './protocol.ts';

/** An operation of the legacy protocol, ready to run: its endpoint takes a body in legacy names. */
export interface LegacyOperation extends LegacyNames {
  readonly run: Endpoint<unknown>;
}

/** Every operation of the legacy protocol, by its WSName. */
export type LegacyOperations = Readonly<Record<string, LegacyOperation>>;

/** What the operations read and write. */
export interface LegacyStores {
  readonly lists: InvoiceLists;
  readonly invoices: InvoiceReader;
  readonly declarations: DeclarationStore;
}

/** The operations of the legacy protocol over these stores. */
export function legacyOperations({ lists, invoices, declarations }: LegacyStores): LegacyOperations {
  const { WSListarFacturas, WSObtenerFactura, WSDeclararFactura, WSDeclararFacturas, WSValidarFactura } = LEGACY_NAMES;
  return {
    WSListarFacturas: operation(WSListarFacturas, validators.listInvoices, listInvoices(lists)),
    WSObtenerFactura: operation(WSObtenerFactura, validators.getInvoice, getInvoice(invoices)),
    WSDeclararFactura: operation(WSDeclararFactura, validators.declareInvoice, declareInvoice(declarations)),
    WSDeclararFacturas: operation(WSDeclararFacturas, validators.declareBatch, declareBatch(declarations)),
    WSValidarFactura: operation(WSValidarFactura, validators.validateAmount, validateAmount(invoices)),
  } satisfies Record<keyof typeof LEGACY_NAMES, LegacyOperation>;
}

function operation<Name extends string, Input>(
  names: LegacyNames & { readonly contract: { readonly name: Name } },
  validate: Validator<NoInfer<Name>, Input>,
  endpoint: Endpoint<Input>,
): LegacyOperation {
  return {
    ...names,
    async run(request) {
      const input = withoutEmpty(names.contract, toCurrentNames(request.input, names.request));
      try {
        if (!validate(input)) throw validationError(toDetails(validate.errors ?? [], 'body'));
        return await endpoint({ ...request, input });
      } catch (error) {
        throw withLegacyNames(error, names.request);
      }
    },
  };
}

function withLegacyNames(error: unknown, names: FieldNames): unknown {
  if (!(error instanceof ServiceError) || !error.details) return error;
  const { code, text, reason, cause } = error;
  const details = error.details.map((fault) => toLegacyFault(fault, names));
  return new ServiceError(code, text, { reason, cause, details });
}
