import type { ValidateFunction } from 'ajv';
import * as validators from '../contracts/validators.generated.js';
import { declareBatchOperation } from '../endpoints/declare-batch.ts';
import { declareInvoiceOperation } from '../endpoints/declare-invoice.ts';
import { getInvoiceOperation } from '../endpoints/get-invoice.ts';
import { listInvoicesOperation } from '../endpoints/list-invoices.ts';
import type { Operation } from '../endpoints/operation.ts';
import { validateAmountOperation } from '../endpoints/validate-amount.ts';
import type { DeclarationStore } from '../services/declare-batch.ts';
import type { InvoiceReader } from '../services/get-invoice.ts';
import type { InvoiceLists } from '../services/list-invoices.ts';
import { LEGACY_NAMES, type LegacyNames } from './protocol.ts';

/** An operation of the legacy protocol, ready to run. */
export interface LegacyOperation extends LegacyNames {
  readonly validate: ValidateFunction;
  readonly run: Operation<never>;
}

/** Every operation of the legacy protocol, by its WSName. */
export function legacyOperations(
  stores: InvoiceLists & InvoiceReader & DeclarationStore,
): Readonly<Record<string, LegacyOperation>> {
  const endpoints = {
    'list-invoices': { validate: validators.listInvoices, run: listInvoicesOperation(stores) },
    'get-invoice': { validate: validators.getInvoice, run: getInvoiceOperation(stores) },
    'declare-invoice': { validate: validators.declareInvoice, run: declareInvoiceOperation(stores) },
    'declare-batch': { validate: validators.declareBatch, run: declareBatchOperation(stores) },
    'validate-amount': { validate: validators.validateAmount, run: validateAmountOperation(stores) },
  };
  return Object.fromEntries(
    Object.entries(LEGACY_NAMES).map(([name, names]) => [name, { ...names, ...endpoints[names.contract.name] }]),
  );
}
