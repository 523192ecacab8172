// Remembers what was computed for an object that never changes, such as a message of a session.

/**
 * A function that calls `compute` once per object. The value lives as long as its object. `compute` must be pure and
 * must not return undefined.
 */
export function memoize<K extends object, V>(compute: (key: K) => V): (key: K) => V {
  const values = new WeakMap<K, V>()
  return (key) => {
    const known = values.get(key)
    if (known !== undefined) return known
    const value = compute(key)
    values.set(key, value)
    return value
  }
}
