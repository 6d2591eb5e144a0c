import type { ValidateAmountInput } from '../contracts/validate-amount.ts';
import { toAmountCheck } from '../contracts/wire.ts';
import { outcomeOn } from '../domain/declaration.ts';
import { invoiceNotFound } from '../domain/errors.ts';
import type { Invoice } from '../domain/invoice.ts';
import { normaliseDecimal } from '../domain/money.ts';
import type { ReadingEndpoint } from './endpoint.ts';
import type { InvoiceReader } from './get-invoice.ts';

/** Checks an amount against the caller's tolerance and writes nothing; throws the errors that declaring it would. */
export function validateAmount(invoices: InvoiceReader): ReadingEndpoint<ValidateAmountInput, Invoice | null> {
  return {
    isReadAhead: () => true,
    read: (scope, { invoice_id: id }) => invoices.get(scope, id),
    answer({ caller, input, found }) {
      if (!found) throw invoiceNotFound();
      const amount = normaliseDecimal(input.amount);
      return { data: toAmountCheck(found, amount, outcomeOn(found, amount, caller.tolerance)) };
    },
  };
}
