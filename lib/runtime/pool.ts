/** Works through items in parallel lanes, each of which takes one item after the other. */
export async function inPool<Item>(
  items: readonly Item[],
  lanes: number,
  work: (item: Item, lane: number) => Promise<void>,
): Promise<void> {
  const next = items.entries();
  const runLane = async (_: unknown, lane: number) => {
    for (const [, item] of next) await work(item, lane);
  };
  await Promise.all(Array.from({ length: lanes }, runLane));
}
