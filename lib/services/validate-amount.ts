import { refusalOf } from '../domain/declaration.ts';
import type { Invoice, SupplierScope } from '../domain/invoice.ts';
import { type Decimal, normaliseDecimal } from '../domain/money.ts';
import { compare, type Tolerance, type ToleranceOutcome } from '../domain/tolerance.ts';
import { getInvoice, type InvoiceReader } from './get-invoice.ts';

/** What declaring an amount would come to. */
export interface AmountCheck {
  readonly invoice: Invoice;
  readonly amount: Decimal;
  readonly outcome: ToleranceOutcome;
}

/** Compares an amount with the invoice's system amount, and writes nothing; throws what declaring it would: NOT_FOUND, or VALIDATION_ERROR when the invoice is settled. */
export async function validateAmount(
  invoices: InvoiceReader,
  scope: SupplierScope,
  tolerance: Tolerance,
  request: { invoiceId: string; amount: number },
): Promise<AmountCheck> {
  const invoice = await getInvoice(invoices, scope, request.invoiceId);
  const refusal = refusalOf(invoice);
  if (refusal) throw refusal;
  const amount = normaliseDecimal(request.amount);
  return { invoice, amount, outcome: compare(amount, invoice.systemAmount, tolerance) };
}
