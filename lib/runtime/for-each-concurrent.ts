/** Processes items with a number of parallel workers; each worker takes the next item when it is free. */
export async function forEachConcurrent<Item>(
  items: readonly Item[],
  workers: number,
  work: (item: Item, worker: number) => Promise<void>,
): Promise<void> {
  const next = items.entries();
  const run = async (_: unknown, worker: number) => {
    for (const [, item] of next) await work(item, worker);
  };
  await Promise.all(Array.from({ length: workers }, run));
}
