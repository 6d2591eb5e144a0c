import type { DeclarationContext } from '../domain/declaration.ts';
import type { SupplierRequest } from '../http/supplier-endpoint.ts';
import { newEntityId } from '../runtime/ids.ts';

/** Who declares, when and under which tolerance. */
export function declarationContext({ caller, requestId, now }: SupplierRequest<unknown>): DeclarationContext {
  const { tolerance, userId } = caller;
  return { tolerance, userId, requestId, now, newDeclarationId: () => newEntityId(now) };
}
