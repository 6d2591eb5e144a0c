import { type DeclareInvoiceInput, toDeclarationRequest } from '../contracts/declare-invoice.ts';
import { toDeclarationResult } from '../contracts/to-response.ts';
import { createInvoiceNotFoundError } from '../domain/errors.ts';
import type { Invoice } from '../domain/invoice.ts';
import { newEntityId } from '../runtime/ids.ts';
import { type DeclarationStore, declareOnInvoice } from '../invoices/declare-amounts.ts';
import type { RequestContext } from '../invoices/plan-declaration.ts';
import type { PrefetchingEndpoint, SupplierRequest } from './endpoint.ts';

/** Creates the endpoint that declares the amount of one invoice. It throws the error of a rejected declaration. */
export function createDeclareInvoiceEndpoint(
  store: DeclarationStore,
): PrefetchingEndpoint<DeclareInvoiceInput, Invoice | null> {
  return {
    read: async (scope, { invoice_id: id }) => (await store.getMany(scope, [id])).get(id) ?? null,
    async respond(request) {
      const { caller, input, found: invoice } = request;
      if (!invoice) throw createInvoiceNotFoundError();
      const declaration = toDeclarationRequest(input);
      const context = buildDeclarationContext(request);
      const result = await declareOnInvoice(store, caller.scope, invoice, declaration, context);
      if (result.kind === 'rejected') throw result.error;
      return { data: toDeclarationResult(result) };
    },
  };
}

export function buildDeclarationContext({ caller, requestId, receivedAt }: SupplierRequest<unknown>): RequestContext {
  const { tolerance, userId } = caller;
  return { tolerance, userId, requestId, newDeclarationId: () => newEntityId(receivedAt) };
}
