export type LruCache<Value> = ReturnType<typeof createLruCache<Value>>;

/**
 * Creates a cache whose values have a total size of at most `maxSize`, in values or in any other unit of `size`. If it
 * is full, it removes the values that were not used for the longest time.
 */
export function createLruCache<Value>(maxSize: number) {
  // A map keeps the order in which its keys were set.
  const entries = new Map<string, { readonly value: Value; readonly size: number }>();
  let totalSize = 0;
  const remove = (key: string) => {
    totalSize -= entries.get(key)?.size ?? 0;
    entries.delete(key);
  };
  return {
    get(key: string): Value | undefined {
      const found = entries.get(key);
      if (!found) return undefined;
      entries.delete(key);
      entries.set(key, found);
      return found.value;
    },
    /** Stores a value, and replaces an earlier one of the key; a value that is larger than the cache is not stored. */
    set(key: string, value: Value, size = 1): void {
      remove(key);
      if (size > maxSize) return;
      entries.set(key, { value, size });
      totalSize += size;
      for (const oldest of entries.keys()) {
        if (totalSize <= maxSize) break;
        remove(oldest);
      }
    },
  };
}
