/** Divides a list into chunks of at most `size` items. */
export function splitIntoChunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

export async function collectPages<Item>(pages: AsyncIterable<readonly Item[]>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of pages) items.push(...page);
  return items;
}

/** Yields the items in pages of at least `least` items, except the last page. */
export async function* rebatchPages<Item>(
  pages: AsyncIterable<readonly Item[]>,
  least: number,
): AsyncGenerator<readonly Item[], void> {
  let filled: Item[] = [];
  for await (const page of pages) {
    filled.push(...page);
    if (filled.length < least) continue;
    yield filled;
    filled = [];
  }
  if (filled.length > 0) yield filled;
}
