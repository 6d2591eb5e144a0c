import type { DeclarationRevision } from '../domain/declaration.ts';
import type { StateChange } from '../domain/invoice-state-change.ts';
import type { Invoice, SupplierScope } from '../domain/invoice.ts';

/** A change of an invoice: before (null: it did not exist) and after, with the new entries of its histories. */
export interface InvoiceChange {
  readonly before: Invoice | null;
  readonly after: Invoice;
  readonly revisions: readonly DeclarationRevision[];
  /** Set if the state changes without a declaration; a declaration records its state in its revision. */
  readonly stateChange?: StateChange | undefined;
}

/** The result of a transaction. After a conflict nothing was written; `current` has the changed invoices. */
export type CommitOutcome =
  { readonly kind: 'committed' } | { readonly kind: 'conflict'; readonly current: readonly Invoice[] };

/**
 * The position of an entry in a tenant's log of declarations. The sequence numbers of a shard begin at 1 and have no
 * gap: an entry is written after the entry before it, on the condition that its number is free.
 */
export interface LogPosition {
  readonly shard: number;
  readonly number: number;
}

/**
 * Writes all changes in one transaction, or nothing if some of the invoices have changed meanwhile. Throws
 * WriteRejectedError if the store rejects the changes. After any other error it is not known whether the changes were written.
 */
export type Commit<Change extends InvoiceChange> = (
  scope: SupplierScope,
  changes: readonly Change[],
  shard: number,
) => Promise<CommitOutcome>;

/**
 * The part of a transaction that an item needs: its writes, their bytes, and the names of the writes that it shares
 * with other items, such as the counters of a month.
 */
export interface TransactionCost {
  readonly writes: number;
  readonly bytes: number;
  readonly shared: readonly string[];
}

/** The limits of one transaction; each shared write counts once, with at most `sharedBytes`. */
export interface TransactionLimits {
  readonly writes: number;
  readonly bytes: number;
  readonly sharedBytes: number;
}

/** Groups items, in their order, so that each group fits one transaction. An item that is too large stays alone. */
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
    [writes, bytes, shared] = [cost.writes, cost.bytes, new Set(cost.shared)];
  }
  return groups;
}
