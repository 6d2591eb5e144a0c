import type { Contract } from '../../../../lib/contracts/contract.ts';
import { declareInvoiceContract } from '../../../../lib/contracts/declare-invoice.ts';
import { getInvoiceContract } from '../../../../lib/contracts/get-invoice.ts';
import { listInvoicesContract } from '../../../../lib/contracts/list-invoices.ts';
import { validateAmountContract } from '../../../../lib/contracts/validate-amount.ts';
import type { TestRequest } from '../../../support/service/proxy-event.ts';
import { invoiceIdAt } from './import-supplier.ts';

/** A kind of request that is compared with peers. */
export interface RequestKind {
  readonly name: 'list' | 'detail' | 'validate' | 'declare';
  readonly contract: Contract;
  /** One of many requests of the kind, no two alike in what they ask for or write. */
  readonly requestAt: (index: number) => TestRequest;
}

const AMOUNTS = 4_999;

/** The kinds of requests, over this many invoices. */
export function requestKinds(invoices: number): readonly RequestKind[] {
  const month = { startdate: '2026-01-01', enddate: '2026-01-31', limit: '25' };
  const idAt = (index: number) => invoiceIdAt(index % invoices);
  const amountAt = (index: number) => ({ invoice_id: idAt(index), amount: 1000 + (index % AMOUNTS) / 100 });
  return [
    { name: 'list', contract: listInvoicesContract, requestAt: () => ({ query: month }) },
    {
      name: 'detail',
      contract: getInvoiceContract,
      requestAt: (index) => ({ path: `/apidev/v1/supplier-portal/invoices/${idAt(index)}` }),
    },
    { name: 'validate', contract: validateAmountContract, requestAt: (index) => ({ body: amountAt(index) }) },
    { name: 'declare', contract: declareInvoiceContract, requestAt: (index) => ({ body: amountAt(index) }) },
  ];
}
