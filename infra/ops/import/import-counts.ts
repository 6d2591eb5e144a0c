import type { Invoice } from '../../../lib/domain/invoice.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { formatDecimal, translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import type { RecordResult } from './import-invoices.ts';

/** The counts of an import: of its records by outcome, of changed system amounts, and of ignored states. */
export class ImportCounts {
  readonly outcomes = { created: 0, changed: 0, unchanged: 0, rejected: 0, repeated: 0, withdrawn: 0 };
  /** The number of changed system amounts, and their sums before and after. */
  readonly #amounts = { count: 0, before: decimal(0), after: decimal(0) };
  /** The number of invoices by the change of their state, such as `LIQ → PEN`. */
  readonly #stateChanges = new Map<string, number>();
  readonly #ignoredStates = new NamedInvoices();
  readonly #withdrawn = new NamedInvoices();

  add({ outcome, invoiceId = '', change, isStateIgnored }: RecordResult): void {
    this.outcomes[outcome] += 1;
    if (outcome === 'withdrawn') this.#withdrawn.add(invoiceId);
    if (isStateIgnored) this.#ignoredStates.add(invoiceId);
    if (change?.before) this.#addChange(change.before, change.after);
  }

  #addChange(before: Invoice, after: Invoice): void {
    if (!before.systemAmount.eq(after.systemAmount)) {
      this.#amounts.count += 1;
      this.#amounts.before = this.#amounts.before.plus(before.systemAmount);
      this.#amounts.after = this.#amounts.after.plus(after.systemAmount);
    }
    if (before.state === after.state) return;
    const transition = `${before.state} → ${after.state}`;
    this.#stateChanges.set(transition, (this.#stateChanges.get(transition) ?? 0) + 1);
  }

  /** Describes the counts in the language of the command. */
  describe(): string[] {
    const { created, changed, unchanged, rejected, repeated } = this.outcomes;
    const { count, before, after } = this.#amounts;
    const stateChanges = Array.from(this.#stateChanges, ([transition, number]) => `${transition} ${number}`);
    const texts = [opsTexts.importCounts(created, changed, unchanged, rejected)];
    if (repeated > 0) texts.push(opsTexts.repetitions(repeated));
    if (this.#withdrawn.count > 0) {
      texts.push(opsTexts.withdrawnRecords(this.#withdrawn.count, this.#withdrawn.describe()));
    }
    if (count > 0) texts.push(opsTexts.changedAmounts(count, formatDecimal(before), formatDecimal(after)));
    if (stateChanges.length > 0) texts.push(opsTexts.changedStates(stateChanges.toSorted().join(', ')));
    if (this.#ignoredStates.count > 0) {
      texts.push(opsTexts.ignoredStates(this.#ignoredStates.count, this.#ignoredStates.describe()));
    }
    return texts.map(translate);
  }

  /** Returns the counts as properties of the JSON document. */
  toDocument(): object {
    const { count, before, after } = this.#amounts;
    return {
      ...this.outcomes,
      system_amounts_changed: { count, before: before.toNumber(), after: after.toNumber() },
      states_changed: Object.fromEntries(this.#stateChanges),
      states_ignored: { count: this.#ignoredStates.count, first: this.#ignoredStates.firstIds },
      withdrawn_invoices: this.#withdrawn.firstIds,
    };
  }
}

/** A number of invoices, and the ids of the first ones. */
class NamedInvoices {
  static readonly #MAX_IDS = 20;
  count = 0;
  readonly firstIds: string[] = [];

  add(invoiceId: string): void {
    this.count += 1;
    if (this.count <= NamedInvoices.#MAX_IDS) this.firstIds.push(invoiceId);
  }

  /** Returns a list such as `9001, 9002`, which ends with `…` if it does not contain all ids. */
  describe(): string {
    const ids = this.firstIds.join(', ');
    return this.count > this.firstIds.length ? `${ids}, …` : ids;
  }
}
