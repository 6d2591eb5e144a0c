import type { DeclareBatchInput } from '../contracts/declare-batch.ts';
import { toDeclarationRequest } from '../contracts/declare-invoice.ts';
import { toBatchResult } from '../contracts/wire.ts';
import { declareAmounts, type DeclarationStore } from '../services/declare-amounts.ts';
import { declarationContext } from './declare-invoice.ts';
import type { Endpoint } from './endpoint.ts';

/** Declares the amounts of up to 100 of the caller's invoices, independently of each other. */
export function declareBatch(store: DeclarationStore): Endpoint<DeclareBatchInput> {
  return async (request) => {
    const declarations = request.input.declarations.map(toDeclarationRequest);
    const results = await declareAmounts(store, request.caller.scope, declarations, declarationContext(request));
    for (const result of results) {
      if (result.kind === 'rejected' && result.error.cause)
        request.logger.error('declaration', { error: result.error.cause });
    }
    const accepted = results.filter(({ kind }) => kind === 'declared').length;
    return {
      itemErrors: results.map((result) => (result.kind === 'declared' ? null : result.error)),
      data: {
        results: results.map((result, index) =>
          toBatchResult(declarations[index]?.invoiceId ?? '', result, request.language),
        ),
        accepted,
        rejected: results.length - accepted,
      },
    };
  };
}
