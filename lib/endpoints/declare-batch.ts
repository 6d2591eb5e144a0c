import { type BatchItem, type DeclareBatchInput, itemPath } from '../contracts/declare-batch.ts';
import { toBatchResult } from '../contracts/to-response.ts';
import type { DeclarationRequest, DeclarationResult } from '../domain/declaration.ts';
import { ServiceError, validationError } from '../domain/errors.ts';
import { declareAmounts, type DeclarationStore } from '../invoices/declare-amounts.ts';
import { declarationContext } from './declare-invoice.ts';
import type { Endpoint } from './endpoint.ts';

/** Reads one item of a batch: returns its declaration, or a VALIDATION_ERROR that names every invalid property. */
export type ReadItem = (item: BatchItem, index: number) => DeclarationRequest | ServiceError;

/** Declares the amounts of several of the caller's invoices. An item that fails does not affect the others. */
export function declareBatch(store: DeclarationStore, readItem: ReadItem): Endpoint<DeclareBatchInput> {
  return async (request) => {
    const { declarations } = request.input;
    const items = declarations.map(readItem);
    const valid = items.flatMap((item) => (item instanceof ServiceError ? [] : [item]));
    const declared = await declareAmounts(store, request.caller.scope, valid, declarationContext(request));
    const resultsByItem = new Map(valid.map((item, index) => [item, declared[index]]));
    const results = items.map((item, index): DeclarationResult => {
      if (item instanceof ServiceError) return { kind: 'rejected', error: item };
      const result = resultsByItem.get(item) as DeclarationResult;
      return result.kind === 'declared' ? result : { kind: 'rejected', error: withItemPath(result.error, index) };
    });
    for (const result of results) {
      if (result.kind === 'rejected' && result.error.cause)
        request.logger.error('declaration', { error: result.error.cause });
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

function withItemPath(error: ServiceError, index: number): ServiceError {
  if (!error.details) return error;
  return validationError(
    error.details.map((detail) => ({ ...detail, property: `${itemPath(index)}.${detail.property}` })),
  );
}
