import type { Contract } from './contract.ts';
import { declareBatchContract } from './declare-batch.ts';
import { declareInvoiceContract } from './declare-invoice.ts';
import { getInvoiceContract } from './get-invoice.ts';
import { legacyDispatchContract } from './legacy-dispatch.ts';
import { listInvoicesContract } from './list-invoices.ts';
import { loginContract } from './login.ts';
import { validateAmountContract } from './validate-amount.ts';

const all = [
  loginContract,
  listInvoicesContract,
  getInvoiceContract,
  declareInvoiceContract,
  declareBatchContract,
  validateAmountContract,
  legacyDispatchContract,
] as const satisfies readonly Contract[];

/** The name of an endpoint. */
export type ContractName = (typeof all)[number]['name'];

/** Every endpoint. */
export const contracts: readonly (Contract & { readonly name: ContractName })[] = all;
