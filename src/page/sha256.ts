// SHA-256 (FIPS 180-4, https://doi.org/10.6028/NIST.FIPS.180-4). Not `crypto.subtle`, because that is asynchronous, and
// missing on pages that were loaded over plain HTTP.
import { withIndex } from '../core/data/lists.js'

/** The first 32 bits of the fractional part of a number: the constants of section 4.2.2 and 5.3.3. */
const fraction = (value: number): number => ((value % 1) * 0x1_0000_0000) | 0

const primes: number[] = []
for (let candidate = 2; primes.length < 64; candidate++) {
  if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate)
}
const initial = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)))
const constants = primes.map((prime) => fraction(Math.cbrt(prime)))

const rotate = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits))

/** The SHA-256 hash of the UTF-8 bytes of a text, as 64 hex digits. */
export function sha256(text: string): string {
  const bytes = new TextEncoder().encode(text)
  const { length } = bytes
  // Padding (5.1.1): one set bit, zeros, and the length in bits as the last 64 bits of the last block.
  const blocks = new DataView(new ArrayBuffer(((length + 72) >> 6) << 6))
  new Uint8Array(blocks.buffer).set(bytes)
  blocks.setUint8(length, 0x80)
  blocks.setUint32(blocks.byteLength - 8, length / 0x2000_0000)
  blocks.setUint32(blocks.byteLength - 4, length << 3)
  const state = Int32Array.from(initial)
  const words = new Int32Array(64)
  for (let block = 0; block < blocks.byteLength; block += 64) {
    let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number]
    for (let round = 0; round < 64; round++) {
      if (round < 16) {
        words[round] = blocks.getInt32(block + round * 4)
      } else {
        const [early, late] = [words[round - 15]!, words[round - 2]!]
        words[round] =
          words[round - 16]! +
          (rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3)) +
          words[round - 7]! +
          (rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10))
      }
      const mixed = (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g))
      const first = (h + mixed + constants[round]! + words[round]!) | 0
      const second = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
      // Not in one destructuring assignment: until the code is optimized, that creates an array for each round.
      h = g
      g = f
      f = e
      e = (d + first) | 0
      d = c
      c = b
      b = a
      a = (first + second) | 0
    }
    for (const [index, word] of withIndex([a, b, c, d, e, f, g, h])) state[index]! += word
  }
  return [...state].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
}
