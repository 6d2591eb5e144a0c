import type { DeclarationRevision } from '../domain/declaration.ts';
import type { StateChange } from '../domain/invoice-state-change.ts';
import type { Invoice, SupplierScope } from '../domain/invoice.ts';

/** A change of an invoice, with the new entries of both histories of the invoice. */
export interface InvoiceChange {
  /** The invoice as it was read; null if it is new. */
  readonly before: Invoice | null;
  readonly after: Invoice;
  readonly revisions: readonly DeclarationRevision[];
  /** Present if something other than a declaration changes the state or a fixed system amount. */
  readonly stateChange?: StateChange | undefined;
}

/**
 * The result of a transaction. A conflict writes nothing. Then `current` contains the invoices that have changed, by
 * id; null for an invoice that no longer exists.
 */
export type CommitOutcome =
  { readonly kind: 'committed' } | { readonly kind: 'conflict'; readonly current: ReadonlyMap<string, Invoice | null> };

/** The position of an entry in the declaration log of a tenant. */
export interface LogPosition {
  readonly shard: number;
  /** The sequence number in the shard. The numbers of a shard begin at 1 and have no gaps. */
  readonly number: number;
}

/**
 * Writes all changes in one transaction, or nothing if an invoice has changed since it was read. Throws
 * WriteRejectedError if nothing was written. After any other error, it is unknown whether the changes were written.
 */
export type Commit<Change extends InvoiceChange> = (
  scope: SupplierScope,
  changes: readonly Change[],
  shard: number,
) => Promise<CommitOutcome>;

/** The part of the limits of a transaction that an item uses. */
export interface TransactionCost {
  readonly writes: number;
  readonly bytes: number;
  /** The names of the writes that items share: `2026-08` for the counters of this month. */
  readonly sharedWrites: readonly string[];
}

/** The limits of one transaction. Several items can share one write, which counts once. */
export interface TransactionLimits {
  readonly writes: number;
  readonly bytes: number;
  /** The maximum size of a shared write. Every shared write counts with this size. */
  readonly sharedBytes: number;
}

/** Groups items, in order, so that each group fits into one transaction. A larger item forms its own group. */
export function packTransactions<Item>(
  items: readonly Item[],
  computeCost: (item: Item) => TransactionCost,
  limits: TransactionLimits,
): Item[][] {
  const groups: Item[][] = [];
  let writes = 0;
  let bytes = 0;
  let sharedWrites = new Set<string>();
  for (const item of items) {
    const cost = computeCost(item);
    writes += cost.writes;
    bytes += cost.bytes;
    sharedWrites = new Set([...sharedWrites, ...cost.sharedWrites]);
    const group = groups.at(-1);
    const totalWrites = writes + sharedWrites.size;
    const totalBytes = bytes + sharedWrites.size * limits.sharedBytes;
    if (group && totalWrites <= limits.writes && totalBytes <= limits.bytes) {
      group.push(item);
      continue;
    }
    groups.push([item]);
    writes = cost.writes;
    bytes = cost.bytes;
    sharedWrites = new Set(cost.sharedWrites);
  }
  return groups;
}
