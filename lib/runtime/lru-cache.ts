/** A cache that removes the least recently used values when it is full. */
export interface LruCache<Value> {
  readonly get: (key: string) => Value | undefined;
  /** Stores or replaces the value of a key. Does not store a value that is larger than the whole cache. */
  readonly set: (key: string, value: Value, size?: number) => void;
}

/** Creates a cache whose values have a total size of at most `maxSize`. The default size of a value is 1. */
export function createLruCache<Value>(maxSize: number): LruCache<Value> {
  // A map returns its keys in the order in which they were set, so the first key is the least recently used one.
  const entries = new Map<string, { readonly value: Value; readonly size: number }>();
  let totalSize = 0;
  const remove = (key: string) => {
    totalSize -= entries.get(key)?.size ?? 0;
    entries.delete(key);
  };
  return {
    get(key) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value, size = 1) {
      remove(key);
      if (size > maxSize) return;
      entries.set(key, { value, size });
      totalSize += size;
      for (const oldestKey of entries.keys()) {
        if (totalSize <= maxSize) break;
        remove(oldestKey);
      }
    },
  };
}
