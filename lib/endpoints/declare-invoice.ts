import { type DeclareInvoiceInput, toDeclarationRequest } from '../contracts/declare-invoice.ts';
import { toDeclarationResult } from '../contracts/to-response.ts';
import type { DeclarationContext } from '../domain/declaration.ts';
import { invoiceNotFound } from '../domain/errors.ts';
import type { Invoice } from '../domain/invoice.ts';
import { newEntityId } from '../runtime/ids.ts';
import type { DeclarationStore } from '../invoices/declare-amounts.ts';
import { declareOnInvoice } from '../invoices/declare-on-invoice.ts';
import type { PrefetchingEndpoint, SupplierRequest } from './endpoint.ts';

/** Declares the amount of one of the caller's invoices; throws the error of a rejected declaration. */
export function declareInvoice(store: DeclarationStore): PrefetchingEndpoint<DeclareInvoiceInput, Invoice | null> {
  return {
    canPrefetch: () => true,
    read: async (scope, { invoice_id: id }) => (await store.getMany(scope, [id])).get(id) ?? null,
    async respond(request) {
      const { caller, input, found: invoice } = request;
      if (!invoice) throw invoiceNotFound();
      const writer = { commit: store.commit, scope: caller.scope, context: declarationContext(request) };
      const { result } = await declareOnInvoice(writer, { invoice, request: toDeclarationRequest(input) });
      if (result.kind === 'rejected') throw result.error;
      return { data: toDeclarationResult(result) };
    },
  };
}

export function declarationContext(request: SupplierRequest<unknown>): DeclarationContext {
  const { caller, requestId, receivedAt: now } = request;
  const { tolerance, userId } = caller;
  return { tolerance, userId, requestId, now, newDeclarationId: () => newEntityId(now) };
}
