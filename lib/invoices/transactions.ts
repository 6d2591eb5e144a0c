import type { DeclarationRevision } from '../domain/declaration.ts';
import type { StateChange } from '../domain/invoice-state-change.ts';
import type { Invoice, SupplierScope } from '../domain/invoice.ts';

/** A change of an invoice, with the new entries of its histories. */
export interface InvoiceChange {
  /** The invoice as it was read; null if it is new. */
  readonly before: Invoice | null;
  readonly after: Invoice;
  readonly revisions: readonly DeclarationRevision[];
  /** Set if the state changes without a declaration; a declaration records its state in its revision. */
  readonly stateChange?: StateChange | undefined;
}

/** The result of a transaction. After a conflict nothing was written, and `current` contains the changed invoices. */
export type CommitOutcome =
  { readonly kind: 'committed' } | { readonly kind: 'conflict'; readonly current: readonly Invoice[] };

/** The position of an entry in a tenant's log of declarations. */
export interface LogPosition {
  readonly shard: number;
  /** The sequence number in the shard: from 1, and without gaps, because an entry is written after the previous one. */
  readonly number: number;
}

/**
 * Writes all changes in one transaction, or nothing if some of the invoices have changed meanwhile. Throws
 * WriteRejectedError if the store rejects the changes. After another error it is not known whether they were written.
 */
export type Commit<Change extends InvoiceChange> = (
  scope: SupplierScope,
  changes: readonly Change[],
  shard: number,
) => Promise<CommitOutcome>;

/** The part of a transaction that an item needs. */
export interface TransactionCost {
  readonly writes: number;
  readonly bytes: number;
  /** The names of the writes that the item shares with other items, such as the counters of a month. */
  readonly shared: readonly string[];
}

/** The limits of one transaction. A shared write counts once. */
export interface TransactionLimits {
  readonly writes: number;
  readonly bytes: number;
  /** The maximum size of a shared write. */
  readonly sharedBytes: number;
}

/** Groups items, in their order, so that each group fits one transaction. A larger item is in its own group. */
export function packTransactions<Item>(
  items: readonly Item[],
  computeCost: (item: Item) => TransactionCost,
  limits: TransactionLimits,
): Item[][] {
  const groups: Item[][] = [];
  let writes = 0;
  let bytes = 0;
  let shared = new Set<string>();
  for (const item of items) {
    const cost = computeCost(item);
    writes += cost.writes;
    bytes += cost.bytes;
    shared = new Set([...shared, ...cost.shared]);
    const group = groups.at(-1);
    const fits = writes + shared.size <= limits.writes && bytes + shared.size * limits.sharedBytes <= limits.bytes;
    if (group && fits) {
      group.push(item);
      continue;
    }
    groups.push([item]);
    writes = cost.writes;
    bytes = cost.bytes;
    shared = new Set(cost.shared);
  }
  return groups;
}
