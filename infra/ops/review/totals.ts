import { decimal } from '../../../lib/domain/money.ts';
import { canHaveApprovedAmount } from '../../../lib/domain/notice.ts';
import { formatDecimal, translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import type { ReviewedInvoice } from './reviewed-invoices.ts';

/** The totals of some invoices. The sums are exact decimals. */
export class Totals {
  #count = 0;
  #declaredCount = 0;
  #systemAmount = decimal(0);
  #declaredAmount = decimal(0);
  #difference = decimal(0);
  #payableAmount = decimal(0);

  add(invoice: ReviewedInvoice): void {
    const { systemAmount, declaration, difference, state, notice } = invoice;
    this.#count += 1;
    if (declaration) this.#declaredCount += 1;
    this.#systemAmount = this.#systemAmount.plus(systemAmount);
    this.#declaredAmount = this.#declaredAmount.plus(declaration?.amount ?? 0);
    this.#difference = this.#difference.plus(difference ?? 0);
    if (canHaveApprovedAmount(state)) {
      this.#payableAmount = this.#payableAmount.plus(notice.approvedAmount ?? declaration?.amount ?? 0);
    }
  }

  describe(): string {
    return translate(opsTexts.totals(this.#count, this.#declaredCount, this.#formatAmounts()));
  }

  /** Returns the cells of a table: count and amounts. */
  toCells(): string[] {
    const { system, declared, difference, payable } = this.#formatAmounts();
    return [String(this.#count), system, declared, difference, payable];
  }

  toDocument() {
    return {
      count: this.#count,
      declared_count: this.#declaredCount,
      system_amount: this.#systemAmount.toNumber(),
      declared_amount: this.#declaredAmount.toNumber(),
      difference: this.#difference.toNumber(),
      payable_amount: this.#payableAmount.toNumber(),
    };
  }

  #formatAmounts() {
    return {
      system: formatDecimal(this.#systemAmount),
      declared: formatDecimal(this.#declaredAmount),
      difference: formatDecimal(this.#difference),
      payable: formatDecimal(this.#payableAmount),
    };
  }
}
