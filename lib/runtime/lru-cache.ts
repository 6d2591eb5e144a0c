/** A cache that removes the least recently used value when it is full. */
export interface LruCache<Value> {
  readonly get: (key: string) => Value | undefined;
  /** Stores or replaces the value of a key. */
  readonly set: (key: string, value: Value) => void;
  readonly remove: (key: string) => void;
}

/** Creates a cache with at most `maxValues` values. */
export function createLruCache<Value>(maxValues: number): LruCache<Value> {
  // A map returns its keys in the order in which they were set, so the first key is the least recently used one.
  const values = new Map<string, Value>();
  const set = (key: string, value: Value) => {
    values.delete(key);
    values.set(key, value);
  };
  return {
    get(key) {
      const value = values.get(key);
      if (value !== undefined) set(key, value);
      return value;
    },
    set(key, value) {
      set(key, value);
      const [oldestKey] = values.keys();
      if (values.size > maxValues && oldestKey !== undefined) values.delete(oldestKey);
    },
    remove: (key) => void values.delete(key),
  };
}
