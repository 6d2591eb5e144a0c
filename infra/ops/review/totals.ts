import { DAY_MS } from '../../../lib/domain/iso-date.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { canHaveApprovedAmount } from '../../../lib/domain/notice.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { formatDecimal, translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import type { ReviewedInvoice } from './reviewed-invoices.ts';

/** The totals of some invoices, and of those that wait for a review. The sums are exact decimals. */
export class Totals {
  #count = 0;
  #declaredCount = 0;
  #systemAmount = decimal(0);
  #declaredAmount = decimal(0);
  #difference = decimal(0);
  #payableAmount = decimal(0);
  #waitingCount = 0;
  /** The start of the longest wait (ISO 8601 UTC); null if no invoice waits. */
  #waitingSince: string | null = null;

  add(invoice: ReviewedInvoice): void {
    const { systemAmount, declaration, difference, state, sortDate, notice } = invoice;
    this.#count += 1;
    if (declaration) this.#declaredCount += 1;
    this.#systemAmount = this.#systemAmount.plus(systemAmount);
    this.#declaredAmount = this.#declaredAmount.plus(declaration?.amount ?? 0);
    this.#difference = this.#difference.plus(difference ?? 0);
    if (canHaveApprovedAmount(state)) {
      this.#payableAmount = this.#payableAmount.plus(notice.approvedAmount ?? declaration?.amount ?? 0);
    }
    const isWaitingForReview = state === 'REV' || state === 'ENV';
    // An invoice without a declaration has waited since its date.
    if (isWaitingForReview) this.#addWaiting(declaration?.declaredAt ?? sortDate);
  }

  #addWaiting(since: string): void {
    this.#waitingCount += 1;
    if (this.#waitingSince === null || since < this.#waitingSince) this.#waitingSince = since;
  }

  describe(): string {
    return translate(opsTexts.totals(this.#count, this.#declaredCount, this.#formatAmounts()));
  }

  /** Returns the cells of a table: count, amounts, number of waiting invoices, and days of the longest wait. */
  toCells(): string[] {
    const { system, declared, difference, payable } = this.#formatAmounts();
    const oldestDays = this.#computeOldestDays() ?? '-';
    return [`${this.#count}`, system, declared, difference, payable, `${this.#waitingCount}`, `${oldestDays}`];
  }

  toDocument() {
    return {
      count: this.#count,
      declared_count: this.#declaredCount,
      system_amount: this.#systemAmount.toNumber(),
      declared_amount: this.#declaredAmount.toNumber(),
      difference: this.#difference.toNumber(),
      payable_amount: this.#payableAmount.toNumber(),
      waiting: { count: this.#waitingCount, oldest_since: this.#waitingSince, oldest_days: this.#computeOldestDays() },
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

  /** Returns the whole days of the longest wait. It is 0 if the date of the invoice is in the future. */
  #computeOldestDays(): number | null {
    if (this.#waitingSince === null) return null;
    const waitMs = systemClock.now().getTime() - Date.parse(this.#waitingSince);
    return Math.max(0, Math.floor(waitMs / DAY_MS));
  }
}
