import type { ValidateAmountInput } from '../contracts/validate-amount.ts';
import { toAmountCheck } from '../contracts/wire.ts';
import type { InvoiceReader } from '../services/get-invoice.ts';
import { validateAmount } from '../services/validate-amount.ts';
import type { Operation } from './operation.ts';

/** Checks an amount against the caller's tolerance. */
export function validateAmountOperation(invoices: InvoiceReader): Operation<ValidateAmountInput> {
  return async ({ caller, input }) => {
    const request = { invoiceId: input.invoice_id, amount: input.amount };
    const { invoice, amount, outcome } = await validateAmount(invoices, caller.scope, caller.tolerance, request);
    return { data: toAmountCheck(invoice, amount, outcome) };
  };
}
