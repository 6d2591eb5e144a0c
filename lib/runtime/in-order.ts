/**
 * The items of some sources, one source after the other. At most so many are begun at a time: of those that wait for
 * their turn, the first item is fetched meanwhile, and of the one whose turn it is, the next.
 */
export async function* inOrder<Item>(
  sources: Iterable<() => AsyncIterable<Item>>,
  most: number,
): AsyncGenerator<Item, void> {
  const waiting = sources[Symbol.iterator]();
  const begun: { readonly items: AsyncIterator<Item>; readonly first: Promise<IteratorResult<Item>> }[] = [];
  const begin = () => {
    while (begun.length < most) {
      const { value: source, done } = waiting.next();
      if (done) return;
      const items = source()[Symbol.asyncIterator]();
      begun.push({ items, first: fetchNext(items) });
    }
  };
  begin();
  for (let current = begun[0]; current; current = begun[0]) {
    let next = current.first;
    for (let result = await next; !result.done; result = await next) {
      next = fetchNext(current.items);
      yield result.value;
    }
    begun.shift();
    begin();
  }
}

/** A failure counts when it is the item's turn, and not before. */
function fetchNext<Item>(items: AsyncIterator<Item>): Promise<IteratorResult<Item>> {
  const next = items.next();
  next.catch(() => undefined);
  return next;
}
