/** What a process remembers, up to a number of bytes: beyond it, what was not used for longest is forgotten. */
export interface LruCache<Value> {
  readonly get: (key: string) => Value | undefined;
  /** Remembers a value of so many bytes, in place of the one under the same key; one that is too large is forgotten. */
  readonly set: (key: string, value: Value, bytes: number) => void;
}

/** Makes a cache that holds at most `maxBytes`. */
export function createLruCache<Value>(maxBytes: number): LruCache<Value> {
  // A map keeps the order in which its keys were set.
  const entries = new Map<string, { readonly value: Value; readonly bytes: number }>();
  let held = 0;
  const forget = (key: string) => {
    held -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  };
  return {
    get(key) {
      const found = entries.get(key);
      if (!found) return undefined;
      entries.delete(key);
      entries.set(key, found);
      return found.value;
    },
    set(key, value, bytes) {
      forget(key);
      if (bytes > maxBytes) return;
      entries.set(key, { value, bytes });
      held += bytes;
      for (const oldest of entries.keys()) {
        if (held <= maxBytes) break;
        forget(oldest);
      }
    },
  };
}
