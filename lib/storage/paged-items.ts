/** A page's limit; without one the embedded engine would hold everyone up for a whole range. */
export const PAGE_ITEMS = 1000;

/** The items of all pages of a query or scan. */
export async function itemsOf<Item>(pages: AsyncIterable<{ Items?: Record<string, unknown>[] | undefined }>) {
  const items: Item[] = [];
  for await (const { Items = [] } of pages) items.push(...(Items as Item[]));
  return items;
}
