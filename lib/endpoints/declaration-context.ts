import type { DeclarationContext } from '../domain/declaration.ts';
import type { SupplierRequest } from '../http/supplier-pipeline.ts';
import { newEntityId } from '../runtime/ids.ts';

/** Who declares, when and under which tolerance. */
export function declarationContext(request: SupplierRequest<unknown>): DeclarationContext {
  const { caller, requestId, receivedAt: now } = request;
  const { tolerance, userId } = caller;
  return { tolerance, userId, requestId, now, newDeclarationId: () => newEntityId(now) };
}
