/** The primary key of an item; the sort key of Declarations is a number, and RateCounters has none. */
export interface Key<SortKey = string> {
  readonly pk: string;
  readonly sk: SortKey;
}

export function byKey<Item extends Key>(items: readonly Item[]): (key: Key) => Item | undefined {
  const textOf = ({ pk, sk }: Key) => `${pk}\n${sk}`;
  const found = new Map(items.map((item) => [textOf(item), item]));
  return (key) => found.get(textOf(key));
}
