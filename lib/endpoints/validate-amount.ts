import type { ValidateAmountInput } from '../contracts/validate-amount.ts';
import { toAmountCheck } from '../contracts/wire.ts';
import { outcomeOn } from '../domain/declaration.ts';
import { invoiceNotFound } from '../domain/errors.ts';
import { normaliseDecimal } from '../domain/money.ts';
import type { Endpoint } from './endpoint.ts';
import type { InvoiceReader } from './get-invoice.ts';

/** Checks an amount against the caller's tolerance and writes nothing; throws the errors that declaring it would. */
export function validateAmount(invoices: InvoiceReader): Endpoint<ValidateAmountInput> {
  return async ({ caller, input }) => {
    const invoice = await invoices.get(caller.scope, input.invoice_id);
    if (!invoice) throw invoiceNotFound();
    const amount = normaliseDecimal(input.amount);
    return { data: toAmountCheck(invoice, amount, outcomeOn(invoice, amount, caller.tolerance)) };
  };
}
