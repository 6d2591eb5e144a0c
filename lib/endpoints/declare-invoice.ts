import { type DeclareInvoiceInput, toDeclarationRequest } from '../contracts/declare-invoice.ts';
import { toDeclarationResult } from '../contracts/wire.ts';
import type { DeclarationStore } from '../services/declare-batch.ts';
import { declareInvoice } from '../services/declare-invoice.ts';
import { declarationContext } from './declaration-context.ts';
import type { Operation } from './operation.ts';

/** Declares the amount of one of the caller's invoices. */
export function declareInvoiceOperation(store: DeclarationStore): Operation<DeclareInvoiceInput> {
  return async (request) => {
    const declaration = toDeclarationRequest(request.input);
    const context = declarationContext(request);
    const declared = await declareInvoice(store, request.caller.scope, declaration, context);
    return { data: toDeclarationResult(declared) };
  };
}
