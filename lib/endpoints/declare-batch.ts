import { type BatchItem, type DeclareBatchInput, buildItemPath } from '../contracts/declare-batch.ts';
import { toBatchResult } from '../contracts/to-response.ts';
import type { DeclarationRequest, DeclarationResult } from '../domain/declaration.ts';
import { ServiceError, createValidationError } from '../domain/errors.ts';
import { declareAmounts, type DeclarationStore } from '../invoices/declare-amounts.ts';
import { buildDeclarationContext } from './declare-invoice.ts';
import type { Endpoint, SupplierRequest } from './endpoint.ts';

/** Validates one item of a batch. Returns its declaration, or a VALIDATION_ERROR that names every invalid property. */
export type ReadItem = (item: BatchItem, index: number) => DeclarationRequest | ServiceError;

/** Creates the endpoint that declares several amounts. A failed item does not affect the other items. */
export function createDeclareBatchEndpoint(store: DeclarationStore, readItem: ReadItem): Endpoint<DeclareBatchInput> {
  return async (request) => {
    const { declarations } = request.input;
    const results = await declareItems(store, declarations.map(readItem), request);
    for (const result of results) {
      if (result.kind === 'rejected' && result.error.cause) {
        request.logger.error('declaration', { error: result.error.cause });
      }
    }
    const accepted = results.filter(({ kind }) => kind === 'declared').length;
    return {
      itemErrors: results.map((result) => (result.kind === 'declared' ? null : result.error)),
      data: {
        results: results.map((result, index) =>
          // An invalid id can contain half a surrogate pair, which no response may contain.
          toBatchResult(declarations[index]?.invoice_id.toWellFormed() ?? '', result, request.language),
        ),
        accepted,
        rejected: results.length - accepted,
      },
    };
  };
}

/** Declares the valid items. Returns a result for each item, in the order of the items. */
async function declareItems(
  store: DeclarationStore,
  items: readonly (DeclarationRequest | ServiceError)[],
  request: SupplierRequest<DeclareBatchInput>,
): Promise<DeclarationResult[]> {
  const validItems = items.filter((item): item is DeclarationRequest => !(item instanceof ServiceError));
  const storeResults = await declareAmounts(store, request.caller.scope, validItems, buildDeclarationContext(request));
  const resultsByItem = new Map(validItems.map((item, index) => [item, storeResults[index]]));
  return items.map((item, index): DeclarationResult => {
    if (item instanceof ServiceError) return { kind: 'rejected', error: item };
    // `declareAmounts` returns a result for each item.
    const result = resultsByItem.get(item) as DeclarationResult;
    if (result.kind === 'declared') return result;
    return { kind: 'rejected', error: addItemPath(result.error, index) };
  });
}

/** Prepends the path of a batch item to the properties of an error: `amount` becomes `declarations[3].amount`. */
function addItemPath(error: ServiceError, index: number): ServiceError {
  if (!error.details) return error;
  return createValidationError(
    error.details.map((detail) => ({ ...detail, property: `${buildItemPath(index)}.${detail.property}` })),
  );
}
