/** The items of a source, each of which is made while the one before it is worked on. */
export async function* oneAhead<Item>(source: AsyncIterable<Item>): AsyncGenerator<Item> {
  const items = source[Symbol.asyncIterator]();
  try {
    for (let next = items.next(); ;) {
      const { done, value } = await next;
      if (done) return;
      next = items.next();
      // Its failure is met when it is its turn.
      next.catch(() => {});
      yield value;
    }
  } finally {
    void items.return?.();
  }
}
