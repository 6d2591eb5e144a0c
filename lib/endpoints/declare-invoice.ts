import { type DeclareInvoiceInput, toDeclarationRequest } from '../contracts/declare-invoice.ts';
import { toDeclarationResult } from '../contracts/wire.ts';
import { invoiceNotFound } from '../domain/errors.ts';
import { declareAmounts, type DeclarationStore } from '../services/declare-amounts.ts';
import { declarationContext } from './declaration-context.ts';
import type { Endpoint } from './endpoint.ts';

/** Declares the amount of one of the caller's invoices; throws the error of a declaration that was not made. */
export function declareInvoice(store: DeclarationStore): Endpoint<DeclareInvoiceInput> {
  return async (request) => {
    const declaration = toDeclarationRequest(request.input);
    const [result] = await declareAmounts(store, request.caller.scope, [declaration], declarationContext(request));
    if (!result) throw invoiceNotFound();
    if (result.kind === 'rejected') throw result.error;
    return { data: toDeclarationResult(result) };
  };
}
