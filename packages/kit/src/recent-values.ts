/**
 * Values by key, at most `most` of them: when it is full, the value that was not used for the longest
 * time is removed.
 */
export function createRecentValues<K, V>(most: number) {
  // A Map keeps the order of insertion: the first key is the least recently used one.
  const values = new Map<K, V>()
  return {
    /** Value of a key, which counts as used; undefined when there is none. */
    get(key: K): V | undefined {
      const value = values.get(key)
      if (value === undefined) return undefined
      values.delete(key)
      values.set(key, value)
      return value
    },
    set(key: K, value: V) {
      values.delete(key)
      values.set(key, value)
      if (values.size <= most) return
      for (const oldest of values.keys()) {
        values.delete(oldest)
        return
      }
    },
    delete: (key: K) => values.delete(key),
    clear: () => values.clear(),
    get size() {
      return values.size
    },
  }
}
