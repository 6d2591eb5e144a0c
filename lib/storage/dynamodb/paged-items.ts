/**
 * The items of a page. Without a limit, the embedded engine lets all other callers wait while it reads a whole range.
 */
export const PAGE_ITEMS = 1000;

/** The items of all pages of a query or scan. */
export async function itemsOf<Item>(pages: AsyncIterable<{ Items?: Record<string, unknown>[] | undefined }>) {
  const items: Item[] = [];
  for await (const { Items = [] } of pages) items.push(...(Items as Item[]));
  return items;
}
