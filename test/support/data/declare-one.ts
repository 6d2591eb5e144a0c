import type { DeclarationContext, DeclarationRequest } from '../../../lib/domain/declaration.ts';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { declareAmounts, type DeclarationStore } from '../../../lib/services/declare-amounts.ts';

/** Declares the amount of one invoice; throws the error of a declaration that was not made. */
export async function declareOne(
  store: DeclarationStore,
  scope: SupplierScope,
  request: DeclarationRequest,
  context: DeclarationContext,
) {
  const [result] = await declareAmounts(store, scope, [request], context);
  if (!result) throw new Error('A declaration has no result.');
  if (result.kind === 'rejected') throw result.error;
  return result;
}
