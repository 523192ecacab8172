// Removes the key of a model from an answer while its bytes pass, because some servers quote the key that they refuse.
import { joined } from './direct.js'

const encoder = new TextEncoder()
const mask = encoder.encode('[key]')
const nothing = new Uint8Array()
/** A shorter text is no secret, and may be an ordinary word. */
const shortestKey = 8

export interface KeyFilter {
  /** The bytes that can be sent on. Only the beginning of a key at the end of a chunk is held back. */
  add(chunk: Uint8Array): Uint8Array
  /** The last bytes. */
  end(): Uint8Array
}

/** Creates the filter of one answer. */
export function keyFilter(secret = ''): KeyFilter {
  const key = encoder.encode(secret.length < shortestKey ? '' : secret)
  let held: Uint8Array = nothing

  /** The place of the key, or of its beginning at the end of the bytes; -1 if there is none. */
  const find = (bytes: Uint8Array, from: number) => {
    for (let at = bytes.indexOf(key[0] ?? 0, from); at >= 0; at = bytes.indexOf(key[0] ?? 0, at + 1)) {
      const length = Math.min(key.length, bytes.length - at)
      let same = 1
      while (same < length && bytes[at + same] === key[same]) same++
      if (same === length) return at
    }
    return -1
  }

  return {
    add(chunk) {
      if (key.length === 0) return chunk
      const bytes = held.length === 0 ? chunk : joined([held, chunk])
      held = nothing
      const parts: Uint8Array[] = []
      let from = 0
      for (let at = find(bytes, 0); at >= 0; at = find(bytes, from)) {
        parts.push(bytes.subarray(from, at))
        from = at + key.length
        if (from <= bytes.length) parts.push(mask)
        else held = bytes.slice(at)
        from = Math.min(from, bytes.length)
      }
      if (parts.length === 0) return bytes
      parts.push(bytes.subarray(from))
      return joined(parts)
    },
    end() {
      const rest = held
      held = nothing
      return rest
    },
  }
}
