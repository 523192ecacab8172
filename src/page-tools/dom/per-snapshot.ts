// Remembers results for one snapshot. The page does not change during a snapshot, so they stay valid.
import type { Visibility } from './visibility.js'

/** Caches a function of a node per snapshot. Its result must not be undefined. */
export function cachedPerSnapshot<K extends Node, V>(
  compute: (key: K, visibility: Visibility) => V,
): (key: K, visibility: Visibility) => V {
  const bySnapshot = new WeakMap<Visibility, Map<K, V>>()
  return (key, visibility) => {
    let known = bySnapshot.get(visibility)
    if (!known) bySnapshot.set(visibility, (known = new Map()))
    let found = known.get(key)
    if (found === undefined) known.set(key, (found = compute(key, visibility)))
    return found
  }
}
