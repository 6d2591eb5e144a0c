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
export function intoTransactions<Item>(
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
