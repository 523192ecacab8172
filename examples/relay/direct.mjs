// How server and relay pass bodies to each other in Node without web streams, which take most of the time of a small
// request. Requests and responses without these properties work in the same way through their `body`.

/** Of a request: reads all bytes. Resolves with undefined for more than `most`. */
export const readAll = Symbol('readAll')

/** Of a response: a reader of its body, as `getReader` returns it. */
export const directReader = Symbol('directReader')

/** @typedef {{ read(): Promise<{ done: boolean, value?: Uint8Array }>, cancel(reason?: unknown): Promise<void> }} Reader */

/** @param {readonly Uint8Array[]} parts */
export function joined(parts) {
  if (parts.length === 1 && parts[0]) return parts[0]
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
