// Removes the key of a model from an answer while its bytes pass, because some servers quote the key that they refuse.
import { joined } from './direct.mjs'

const encoder = new TextEncoder()
const mask = encoder.encode('[key]')
const nothing = new Uint8Array()
/** A shorter text is no secret, and may be an ordinary word. */
const shortestKey = 8

/**
 * Creates the filter of one answer. `add` returns the bytes that can be sent on, `end` the last ones. Only the beginning
 * of a key at the end of a chunk is held back.
 * @param {string | undefined} secret
 */
export function keyFilter(secret = '') {
  const key = encoder.encode(secret.length < shortestKey ? '' : secret)
  let held = nothing

  /** The place of the key, or of its beginning at the end of the bytes; -1 if there is none. @param {Uint8Array} bytes @param {number} from */
  const find = (bytes, from) => {
    for (let at = bytes.indexOf(key[0] ?? 0, from); at >= 0; at = bytes.indexOf(key[0] ?? 0, at + 1)) {
      const length = Math.min(key.length, bytes.length - at)
      let same = 1
      while (same < length && bytes[at + same] === key[same]) same++
      if (same === length) return at
    }
    return -1
  }

  return {
    /** @param {Uint8Array} chunk @returns {Uint8Array} */
    add(chunk) {
      if (key.length === 0) return chunk
      const bytes = held.length === 0 ? chunk : joined([held, chunk])
      held = nothing
      /** @type {Uint8Array[]} */
      const parts = []
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
