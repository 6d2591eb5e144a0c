import type { Invoice } from '../domain/invoice.ts';

/** The invoices that have changed since they were read, by id; null for an invoice that no longer exists. */
export type CurrentInvoices = ReadonlyMap<string, Invoice | null>;

/**
 * The outcome of a transaction that is known. `replan`: nothing was written, because of other writes; the changes of the
 * `current` invoices must be planned again. `reject`: nothing was written, and the same changes would fail again.
 */
export type CommitOutcome =
  | { readonly kind: 'committed' }
  | { readonly kind: 'replan'; readonly current: CurrentInvoices }
  | { readonly kind: 'reject'; readonly cause: Error };

/** The outcome of a transaction. `unknown`: it cannot be found out whether the changes were written. */
export type SendOutcome = CommitOutcome | { readonly kind: 'unknown'; readonly cause: Error };

/** The part of the limits of a transaction that an item uses. */
export interface TransactionCost {
  readonly writes: number;
  readonly bytes: number;
}

/** Groups items, in order, so that each group fits into one transaction. A larger item forms its own group. */
export function packTransactions<Item>(
  items: readonly Item[],
  computeCost: (item: Item) => TransactionCost,
  limits: TransactionCost,
): Item[][] {
  const groups: Item[][] = [];
  let used = { writes: 0, bytes: 0 };
  for (const item of items) {
    const { writes, bytes } = computeCost(item);
    const total = { writes: used.writes + writes, bytes: used.bytes + bytes };
    const group = groups.at(-1);
    const fits = group && total.writes <= limits.writes && total.bytes <= limits.bytes;
    if (fits) group.push(item);
    else groups.push([item]);
    used = fits ? total : { writes, bytes };
  }
  return groups;
}
