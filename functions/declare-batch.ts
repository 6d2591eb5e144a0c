import { declarationContext, declarationStore } from '../lib/composition/declaration-store.ts';
import { supplierPorts } from '../lib/composition/supplier-ports.ts';
import { declareBatchContract, type DeclareBatchInput } from '../lib/contracts/declare-batch.ts';
import { toDeclarationRequest } from '../lib/contracts/declare-invoice.ts';
import { declareBatch as validate } from '../lib/contracts/validators.generated.js';
import { toBatchResult } from '../lib/contracts/wire.ts';
import { supplierEndpoint } from '../lib/http/supplier-endpoint.ts';
import { createDocumentClient } from '../lib/storage/document-client.ts';
import { declareBatch } from '../lib/usecases/declare-batch.ts';

const client = createDocumentClient();
const store = declarationStore(client);

/** POST /apidev/v1/supplier-portal/invoices/declare-batch */
export const handler = supplierEndpoint<DeclareBatchInput>(
  declareBatchContract,
  validate,
  supplierPorts(client),
  async (request) => {
    const declarations = request.input.declarations.map(toDeclarationRequest);
    const results = await declareBatch(store, request.caller.scope, declarations, declarationContext(request));
    for (const result of results) {
      if (!result.declared && result.error.cause) request.logger.error('declaration', { error: result.error.cause });
    }
    const accepted = results.filter(({ declared }) => declared).length;
    return {
      data: {
        results: results.map((result, index) => toBatchResult(declarations[index]?.invoiceId ?? '', result)),
        accepted,
        rejected: results.length - accepted,
      },
    };
  },
);
