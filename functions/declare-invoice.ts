import { declarationContext, declarationStore } from '../lib/composition/declaration-store.ts';
import { supplierPorts } from '../lib/composition/supplier-ports.ts';
import {
  declareInvoiceContract,
  type DeclareInvoiceInput,
  toDeclarationRequest,
} from '../lib/contracts/declare-invoice.ts';
import { declareInvoice as validate } from '../lib/contracts/validators.generated.js';
import { toDeclarationResult } from '../lib/contracts/wire.ts';
import { supplierEndpoint } from '../lib/http/supplier-endpoint.ts';
import { createDocumentClient } from '../lib/storage/document-client.ts';
import { declareInvoice } from '../lib/usecases/declare-invoice.ts';

const client = createDocumentClient();
const store = declarationStore(client);

/** POST /apidev/v1/supplier-portal/invoices/declare */
export const handler = supplierEndpoint<DeclareInvoiceInput>(
  declareInvoiceContract,
  validate,
  supplierPorts(client),
  async (request) => {
    const declaration = toDeclarationRequest(request.input);
    const context = declarationContext(request);
    const { revision, state } = await declareInvoice(store, request.caller.scope, declaration, context);
    return { data: toDeclarationResult(revision, state) };
  },
);
