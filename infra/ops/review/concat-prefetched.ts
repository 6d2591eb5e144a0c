/**
 * Yields the items of several sources, one source after the other. It reads up to `most` sources in parallel: the next
 * item of the current source, and the first item of each of the following sources.
 */
export async function* concatPrefetched<Item>(
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

/** Fetches the next item; an error is thrown when the item is awaited, not earlier. */
function fetchNext<Item>(items: AsyncIterator<Item>): Promise<IteratorResult<Item>> {
  const next = items.next();
  next.catch(() => undefined);
  return next;
}
