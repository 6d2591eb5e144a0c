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

/** Yields the items of pages in pages of at least `minItems`. The last page can be smaller. */
export async function* rebatchPages<Item>(
  pages: AsyncIterable<readonly Item[]>,
  minItems: number,
): AsyncGenerator<readonly Item[], void> {
  let items: Item[] = [];
  for await (const page of pages) {
    items.push(...page);
    if (items.length < minItems) continue;
    yield items;
    items = [];
  }
  if (items.length > 0) yield items;
}
