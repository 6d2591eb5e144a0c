import type { ValidateAmountInput } from '../contracts/validate-amount.ts';
import { toAmountCheck } from '../contracts/to-response.ts';
import { evaluateDeclaration } from '../domain/declaration.ts';
import { createInvoiceNotFoundError } from '../domain/errors.ts';
import type { Invoice } from '../domain/invoice.ts';
import { normaliseDecimal } from '../domain/money.ts';
import type { PrefetchingEndpoint } from './endpoint.ts';
import type { InvoiceReader } from './get-invoice.ts';

/** Creates the endpoint that evaluates an amount as a declaration would, and saves nothing. */
export function createValidateAmountEndpoint(
  invoices: InvoiceReader,
): PrefetchingEndpoint<ValidateAmountInput, Invoice | null> {
  return {
    read: (scope, { invoice_id: id }) => invoices.get(scope, id),
    respond({ caller, input, found }) {
      if (!found) throw createInvoiceNotFoundError();
      const amount = normaliseDecimal(input.amount);
      return { data: toAmountCheck(found, amount, evaluateDeclaration(found, amount, caller.tolerance)) };
    },
  };
}
