import type { InvoiceRow } from '../../domain/invoice.ts';
import { type Decimal, decimal, differenceOf } from '../../domain/money.ts';

/** What some invoices come to, exactly. */
export class Sums {
  invoices = 0;
  /** How many of them are declared. */
  declared = 0;
  systemAmount: Decimal = decimal(0);
  declaredAmount: Decimal = decimal(0);
  /** Declared minus system amounts, of those that are declared. */
  difference: Decimal = decimal(0);

  /** Adds an invoice with its amounts as they stand. */
  add({ systemAmount, declaration }: Pick<InvoiceRow, 'systemAmount' | 'declaration'>): void {
    this.invoices += 1;
    this.systemAmount = this.systemAmount.plus(systemAmount);
    if (!declaration) return;
    this.declared += 1;
    this.declaredAmount = this.declaredAmount.plus(declaration.amount);
    this.difference = this.difference.plus(differenceOf(declaration.amount, systemAmount));
  }
}
