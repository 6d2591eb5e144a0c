/** What an item takes of a transaction: its writes, their bytes, and the months whose counters they change. */
export interface TransactionCost {
  readonly writes: number;
  readonly bytes: number;
  readonly months: readonly string[];
}

/** What one transaction may hold; the counters of each month are one write more, of at most `monthBytes`. */
export interface TransactionLimits {
  readonly writes: number;
  readonly bytes: number;
  readonly monthBytes: number;
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
  let months = new Set<string>();
  for (const item of items) {
    const cost = costOf(item);
    writes += cost.writes;
    bytes += cost.bytes;
    months = new Set([...months, ...cost.months]);
    const group = groups.at(-1);
    const fits = writes + months.size <= limits.writes && bytes + months.size * limits.monthBytes <= limits.bytes;
    if (group && fits) {
      group.push(item);
      continue;
    }
    groups.push([item]);
    [writes, bytes, months] = [cost.writes, cost.bytes, new Set(cost.months)];
  }
  return groups;
}
