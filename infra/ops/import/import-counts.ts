import type { Invoice } from '../../../lib/domain/invoice.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { formatDecimal, translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import type { RecordResult } from './import-invoices.ts';

/** The maximum number of ids that a message or a property lists. */
const MAX_IDS = 20;

/** Counts the results of an import, and describes the counts for the terminal and for the JSON document. */
export class ImportCounts {
  readonly #outcomes = { created: 0, changed: 0, unchanged: 0, rejected: 0, repeated: 0, withdrawn: 0 };
  /** The number of changed system amounts, and the sums of these amounts before and after the import. */
  readonly #amounts = { count: 0, sumBefore: decimal(0), sumAfter: decimal(0) };
  /** The number of invoices by the change of their state, such as `LIQ → PEN`. */
  readonly #stateChanges = new Map<string, number>();
  /** The number of records whose state is not imported, because the supplier has declared the invoice. */
  #ignoredStates = 0;
  // The first ids only, because a file can have millions of records. One id more than MAX_IDS shows that there are more.
  readonly #ignoredStateIds: string[] = [];
  readonly #withdrawnIds: string[] = [];

  add({ outcome, invoiceId, change, isStateIgnored }: RecordResult): void {
    this.#outcomes[outcome] += 1;
    // A rejected or repeated record has no invoice.
    if (invoiceId === undefined) return;
    if (outcome === 'withdrawn') addFirst(this.#withdrawnIds, invoiceId);
    if (isStateIgnored) {
      this.#ignoredStates += 1;
      addFirst(this.#ignoredStateIds, invoiceId);
    }
    // A created invoice has no amount and no state before the import.
    if (change?.before) this.#addChange(change.before, change.after);
  }

  #addChange(before: Invoice, after: Invoice): void {
    if (!before.systemAmount.eq(after.systemAmount)) {
      this.#amounts.count += 1;
      this.#amounts.sumBefore = this.#amounts.sumBefore.plus(before.systemAmount);
      this.#amounts.sumAfter = this.#amounts.sumAfter.plus(after.systemAmount);
    }
    if (before.state === after.state) return;
    const transition = `${before.state} → ${after.state}`;
    this.#stateChanges.set(transition, (this.#stateChanges.get(transition) ?? 0) + 1);
  }

  /** Describes the counts in the language of the command. */
  describe(): string[] {
    const { created, changed, unchanged, rejected, repeated, withdrawn } = this.#outcomes;
    const { count: changedAmounts, sumBefore, sumAfter } = this.#amounts;
    const stateChanges = Array.from(this.#stateChanges, ([transition, count]) => `${transition} ${count}`);
    const texts = [opsTexts.importCounts(created, changed, unchanged, rejected)];
    if (repeated > 0) texts.push(opsTexts.repetitions(repeated));
    if (withdrawn > 0) texts.push(opsTexts.withdrawnRecords(withdrawn, listFirst(this.#withdrawnIds)));
    if (changedAmounts > 0) {
      texts.push(opsTexts.changedAmounts(changedAmounts, formatDecimal(sumBefore), formatDecimal(sumAfter)));
    }
    if (stateChanges.length > 0) texts.push(opsTexts.changedStates(stateChanges.toSorted().join(', ')));
    if (this.#ignoredStates > 0) {
      texts.push(opsTexts.ignoredStates(this.#ignoredStates, listFirst(this.#ignoredStateIds)));
    }
    return texts.map(translate);
  }

  /** Returns the counts as properties of the JSON document. */
  toDocument(): object {
    const { count, sumBefore, sumAfter } = this.#amounts;
    return {
      ...this.#outcomes,
      system_amounts_changed: { count, before: sumBefore.toNumber(), after: sumAfter.toNumber() },
      states_changed: Object.fromEntries(this.#stateChanges),
      states_ignored: { count: this.#ignoredStates, first: this.#ignoredStateIds.slice(0, MAX_IDS) },
      // The property `withdrawn` of the outcomes is the number of all withdrawn invoices.
      withdrawn_invoices: this.#withdrawnIds.slice(0, MAX_IDS),
    };
  }
}

/** Adds an id, unless the list already shows that there are more than MAX_IDS. */
function addFirst(ids: string[], id: string): void {
  if (ids.length <= MAX_IDS) ids.push(id);
}

/** Lists the first ids, such as `9001, 9002`. The list ends with `…` if it does not contain all ids. */
function listFirst(ids: readonly string[]): string {
  const list = ids.slice(0, MAX_IDS).join(', ');
  return ids.length > MAX_IDS ? `${list}, …` : list;
}
