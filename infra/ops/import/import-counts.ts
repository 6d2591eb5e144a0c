import type { Invoice } from '../../../lib/domain/invoice.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { formatDecimal, translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import type { RecordResult } from './import-invoices.ts';
import type { IgnoredState } from './merge-record.ts';

/** The maximum number of ignored states, and of withdrawn invoices, that a message names. */
const MAX_NAMED = 20;

/** The counts of an import: of its records by outcome, of changed system amounts, and of ignored states. */
export class ImportCounts {
  readonly outcomes = { created: 0, changed: 0, unchanged: 0, rejected: 0, repeated: 0, withdrawn: 0 };
  /** The number of changed system amounts, and their sums before and after. */
  readonly #amounts = { count: 0, before: decimal(0), after: decimal(0) };
  /** The number of invoices by the change of their state, such as `LIQ → PEN`. */
  readonly #stateChanges = new Map<string, number>();
  /** The number of states that were not imported, and the first of these states. */
  readonly #ignoredStates = { count: 0, first: [] as IgnoredState[] };
  /** The first of the withdrawn invoices that were left unchanged. */
  readonly #withdrawnIds: string[] = [];

  add({ outcome, change, ignoredState, withdrawnId }: RecordResult): void {
    this.outcomes[outcome] += 1;
    if (withdrawnId !== undefined && this.#withdrawnIds.length < MAX_NAMED) this.#withdrawnIds.push(withdrawnId);
    if (ignoredState) {
      this.#ignoredStates.count += 1;
      if (this.#ignoredStates.count <= MAX_NAMED) this.#ignoredStates.first.push(ignoredState);
    }
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

  countRecords(): number {
    return Object.values(this.outcomes).reduce((sum, count) => sum + count, 0);
  }

  /** Describes the counts in the language of the command. */
  describe(): string[] {
    const { created, changed, unchanged, rejected, repeated, withdrawn } = this.outcomes;
    const lines = [translate(opsTexts.importCounts(created, changed, unchanged, rejected))];
    if (repeated > 0) lines.push(translate(opsTexts.repetitions(repeated)));
    if (withdrawn > 0) {
      const ellipsis = withdrawn > this.#withdrawnIds.length ? ', …' : '';
      lines.push(translate(opsTexts.withdrawnRecords(withdrawn, this.#withdrawnIds.join(', ') + ellipsis)));
    }
    const { count, before, after } = this.#amounts;
    if (count > 0) lines.push(translate(opsTexts.changedAmounts(count, formatDecimal(before), formatDecimal(after))));
    if (this.#stateChanges.size > 0) {
      const parts = Array.from(this.#stateChanges, ([transition, number]) => `${transition} ${number}`);
      lines.push(translate(opsTexts.changedStates(parts.toSorted().join(', '))));
    }
    if (this.#ignoredStates.count > 0) lines.push(this.#describeIgnoredStates());
    return lines;
  }

  #describeIgnoredStates(): string {
    const { count, first } = this.#ignoredStates;
    const states = first.map(({ invoice_id, state_code, stays }) =>
      translate(opsTexts.ignoredState(invoice_id, state_code, stays)),
    );
    if (count > first.length) states.push('…');
    return translate(opsTexts.ignoredStates(count, states.join('; ')));
  }

  /** Returns the counts as properties of the JSON document. */
  toDocument(): object {
    const { count, before, after } = this.#amounts;
    return {
      ...this.outcomes,
      system_amounts_changed: { count, before: before.toNumber(), after: after.toNumber() },
      states_changed: Object.fromEntries(this.#stateChanges),
      states_ignored: this.#ignoredStates,
      withdrawn_invoices: this.#withdrawnIds,
    };
  }
}
