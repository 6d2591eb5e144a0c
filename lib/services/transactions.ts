import type { DeclarationRevision } from '../domain/declaration.ts';
import type { StateChange } from '../domain/invoice-state-change.ts';
import type { Invoice, SupplierScope } from '../domain/invoice.ts';

/** An invoice as it was read (null: it did not exist), as it becomes, and what its histories gain. */
export interface InvoiceChange {
  readonly before: Invoice | null;
  readonly after: Invoice;
  readonly revisions: readonly DeclarationRevision[];
  /** When no declaration changes the state: its revision tells the state that it leads to. */
  readonly stateChange?: StateChange | undefined;
}

/**
 * All was written; or nothing was, because other writes were faster, and `current` holds the invoices that had changed.
 */
export type CommitOutcome =
  { readonly kind: 'committed' } | { readonly kind: 'conflict'; readonly current: readonly Invoice[] };

/**
 * Where an entry of a tenant's log of declarations stands. The numbers of a shard begin at 1 and have no gap: an entry
 * is written when the one before it stands there, on the condition that its number is free.
 */
export interface LogPosition {
  readonly shard: number;
  readonly number: number;
}

/**
 * Writes all changes in one transaction or, when others have changed some of the invoices, nothing. Throws
 * NothingWritten when the store refuses the changes; after any other error it is not known whether they were written.
 */
export type Commit<Change extends InvoiceChange> = (
  scope: SupplierScope,
  changes: readonly Change[],
  shard: number,
) => Promise<CommitOutcome>;

/**
 * What an item takes of a transaction: its writes, their bytes, and the names of what it writes together with others:
 * the counters of a month, what a request declared.
 */
export interface TransactionCost {
  readonly writes: number;
  readonly bytes: number;
  readonly shared: readonly string[];
}

/** What one transaction may hold; whatever is shared is one write more, of at most `sharedBytes`. */
export interface TransactionLimits {
  readonly writes: number;
  readonly bytes: number;
  readonly sharedBytes: number;
}

/** Groups items, in their order, so that each group fits one transaction; an item too large for any stands alone. */
export function intoBatches<Item>(
  items: readonly Item[],
  costOf: (item: Item) => TransactionCost,
  limits: TransactionLimits,
): Item[][] {
  const groups: Item[][] = [];
  let writes = 0;
  let bytes = 0;
  let shared = new Set<string>();
  for (const item of items) {
    const cost = costOf(item);
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
