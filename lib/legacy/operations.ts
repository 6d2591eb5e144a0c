import type { ValidateFunction } from 'ajv';
import * as validators from '../contracts/validators.generated.js';
import { declareBatch } from '../endpoints/declare-batch.ts';
import { declareInvoice } from '../endpoints/declare-invoice.ts';
import { getInvoice, type InvoiceReader } from '../endpoints/get-invoice.ts';
import { listInvoices } from '../endpoints/list-invoices.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { validateAmount } from '../endpoints/validate-amount.ts';
import type { DeclarationStore } from '../services/declare-amounts.ts';
import type { InvoiceLists } from '../services/invoice-pages.ts';
import { LEGACY_NAMES, type LegacyNames } from './protocol.ts';

/** An operation of the legacy protocol, ready to run. */
export interface LegacyOperation extends LegacyNames {
  readonly validate: ValidateFunction;
  readonly run: Endpoint<never>;
}

/** Every operation of the legacy protocol, by its WSName. */
export function legacyOperations(
  stores: InvoiceLists & InvoiceReader & DeclarationStore,
): Readonly<Record<string, LegacyOperation>> {
  const endpoints = {
    'list-invoices': { validate: validators.listInvoices, run: listInvoices(stores) },
    'get-invoice': { validate: validators.getInvoice, run: getInvoice(stores) },
    'declare-invoice': { validate: validators.declareInvoice, run: declareInvoice(stores) },
    'declare-batch': { validate: validators.declareBatch, run: declareBatch(stores) },
    'validate-amount': { validate: validators.validateAmount, run: validateAmount(stores) },
  };
  return Object.fromEntries(
    Object.entries(LEGACY_NAMES).map(([name, names]) => [name, { ...names, ...endpoints[names.contract.name] }]),
  );
}
