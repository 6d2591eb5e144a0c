import { type DeclareInvoiceInput, toDeclarationRequest } from '../contracts/declare-invoice.ts';
import { toDeclarationResult } from '../contracts/wire.ts';
import type { DeclarationContext } from '../domain/declaration.ts';
import { invoiceNotFound } from '../domain/errors.ts';
import { newEntityId } from '../runtime/ids.ts';
import { declareAmounts, type DeclarationStore, type InvoicesById } from '../services/declare-amounts.ts';
import type { ReadingEndpoint, SupplierRequest } from './endpoint.ts';

/** Declares the amount of one of the caller's invoices; throws the error of a declaration that was not made. */
export function declareInvoice(store: DeclarationStore): ReadingEndpoint<DeclareInvoiceInput, InvoicesById> {
  return {
    isReadAhead: () => true,
    read: (scope, input) => store.getMany(scope, [input.invoice_id]),
    async answer(request) {
      const { caller, input, found } = request;
      const context = declarationContext(request);
      const [result] = await declareAmounts(store, caller.scope, [toDeclarationRequest(input)], context, found);
      if (!result) throw invoiceNotFound();
      if (result.kind === 'rejected') throw result.error;
      return { data: toDeclarationResult(result) };
    },
  };
}

/** Who declares, when and under which tolerance. */
export function declarationContext(request: SupplierRequest<unknown>): DeclarationContext {
  const { caller, requestId, receivedAt: now } = request;
  const { tolerance, userId } = caller;
  return { tolerance, userId, requestId, now, newDeclarationId: () => newEntityId(now) };
}
