// Two ways to walk lists that work on every page: Prototype.js replaces `Array.prototype.entries` and `Array.from`,
// MooTools the latter, by functions of their own.

/** The items with their indexes, as `list.entries()`: also those that are added meanwhile. */
export function* withIndex<T>(list: readonly T[]): Generator<[number, T]> {
  for (let index = 0; index < list.length; index++) yield [index, list[index] as T]
}

/** A list of `length` items that `make` returns for their indexes. */
export function times<T>(length: number, make: (index: number) => T): T[] {
  const list: T[] = []
  for (let index = 0; index < length; index++) list.push(make(index))
  return list
}
