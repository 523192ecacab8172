// A stream of model parts in which each part is replaced by others.
import type { ModelPart } from '../../core/data/model.js'

/** `add` returns what takes the place of a part. A plain iterator, so that `return()` ends a read that is pending. */
export function transformedParts(
  parts: AsyncIterable<ModelPart>,
  add: (part: ModelPart) => readonly ModelPart[],
): AsyncIterable<ModelPart> {
  const source = parts[Symbol.asyncIterator]()
  const ready: ModelPart[] = []
  const iterator: AsyncIterator<ModelPart> = {
    async next() {
      for (;;) {
        const value = ready.shift()
        if (value) return { value, done: false }
        const next = await source.next()
        if (next.done) return next
        ready.push(...add(next.value))
      }
    },
    return: async () => (await source.return?.()) ?? { value: undefined, done: true },
  }
  return { [Symbol.asyncIterator]: () => iterator }
}
