/** Processes items with a number of parallel workers. A worker that is free processes the next item. */
export async function forEachConcurrent<Item>(
  items: readonly Item[],
  workerCount: number,
  processItem: (item: Item, worker: number) => Promise<void>,
): Promise<void> {
  // All workers share one iterator, so that each item is processed once.
  const remainingItems = items.values();
  const runWorker = async (_: unknown, worker: number) => {
    for (const item of remainingItems) await processItem(item, worker);
  };
  await Promise.all(Array.from({ length: workerCount }, runWorker));
}
