import type { DeclarationContext, DeclarationRequest } from '../domain/declaration.ts';
import { invoiceNotFound } from '../domain/errors.ts';
import type { SupplierScope } from '../domain/invoice.ts';
import { declareBatch, type DeclarationStore } from './declare-batch.ts';
import type { DeclarationResult } from './plan-declarations.ts';

/** Declares the amount of one invoice; throws NOT_FOUND, or VALIDATION_ERROR when the invoice is settled. */
export async function declareInvoice(
  store: DeclarationStore,
  scope: SupplierScope,
  request: DeclarationRequest,
  context: DeclarationContext,
): Promise<Extract<DeclarationResult, { declared: true }>> {
  const [result] = await declareBatch(store, scope, [request], context);
  if (!result) throw invoiceNotFound();
  if (!result.declared) throw result.error;
  return result;
}
