// Removes the key of a model from an answer while its bytes pass, because some servers quote the key that they refuse:
// as it is, in a URL, in the escapes of JSON, or in Base64, where the bytes before it decide how it is written.
import { joined } from './bytes.js'

const encoder = new TextEncoder()
const mask = encoder.encode('[key]')
const nothing = new Uint8Array()
/** A shorter text is no secret, and may be an ordinary word. */
const shortestKey = 8
/** JSON in JSON in JSON has seven before an escape. */
const mostBackslashes = 8

const percent = 0x25
const slash = 0x2f
const backslash = 0x5c
const zero = 0x30
const letterU = 0x75

/** What a comparison returns when the bytes end before it can be decided. */
const undecided = Infinity
const different = -1

export interface KeyFilter {
  /** The bytes that can be sent on. Only what may be the beginning of a key at the end of a chunk is held back. */
  add(chunk: Uint8Array): Uint8Array
  /** The last bytes. */
  end(): Uint8Array
}

/** Creates the filter of one answer. */
export function keyFilter(secret = ''): KeyFilter {
  const patterns = secret.length < shortestKey ? [] : patternsOf(encoder.encode(secret))
  const mayBegin = new Uint8Array(256)
  for (const byte of [percent, backslash, ...patterns.map(([first = 0]) => first)]) mayBegin[byte] = 1
  let held: Uint8Array = nothing

  /** The bytes without keys. What is undecided at the end is held back, unless nothing follows. */
  const filter = (bytes: Uint8Array, isLast: boolean): Uint8Array => {
    held = nothing
    const parts: Uint8Array[] = []
    let from = 0
    for (let at = 0; at < bytes.length; at++) {
      if (mayBegin[bytes[at] ?? 0] === 0) continue
      const ends = patterns.map((pattern) => endOf(pattern, bytes, at))
      const end = Math.max(different, ...ends.filter((one) => one !== undecided))
      if (!isLast && ends.includes(undecided)) {
        held = bytes.slice(at)
        break
      }
      if (end === different) continue
      parts.push(bytes.subarray(from, at), mask)
      from = end
      at = end - 1
    }
    if (parts.length === 0 && held.length === 0) return bytes
    parts.push(bytes.subarray(from, bytes.length - held.length))
    return joined(parts)
  }

  return {
    add(chunk) {
      if (patterns.length === 0) return chunk
      return filter(held.length === 0 ? chunk : joined([held, chunk]), false)
    },
    end: () => filter(held, true),
  }
}

/** The key, and what each way of writing it in Base64 has in common, whatever stands before and after the key. */
function patternsOf(key: Uint8Array): Uint8Array[] {
  const patterns = [key]
  for (const before of [0, 1, 2]) {
    const text = btoa(String.fromCharCode(...new Uint8Array(before), ...key))
    // Each character has six bits. Those that also have bits of another byte are left out.
    const whole = text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + key.length) * 8) / 6))
    const ofUrls = whole.replaceAll('+', '-').replaceAll('/', '_')
    for (const one of new Set([whole, ofUrls])) patterns.push(encoder.encode(one))
  }
  return patterns
}

/** Where the pattern ends that begins at this place, or `different` or `undecided`. */
function endOf(pattern: Uint8Array, bytes: Uint8Array, at: number): number {
  let next = at
  for (let index = 0; index < pattern.length; index++) {
    next = afterCharacter(pattern[index] ?? 0, bytes, next)
    if (next === different || next === undecided) return next
  }
  return next
}

/** The place after a character that is written as it is, as `%73`, as `\u0073`, or after a backslash: `\/`. */
function afterCharacter(wanted: number, bytes: Uint8Array, at: number): number {
  if (at >= bytes.length) return undecided
  const byte = bytes[at]
  if (byte === wanted) return at + 1
  if (byte === percent) return afterHex(wanted, bytes, at + 1)
  if (byte !== backslash) return different
  let next = at
  while (bytes[next] === backslash && next - at < mostBackslashes) next++
  if (next >= bytes.length) return undecided
  if (wanted === slash && bytes[next] === slash) return next + 1
  if (bytes[next] !== letterU) return different
  for (const place of [next + 1, next + 2]) {
    if (place >= bytes.length) return undecided
    if (bytes[place] !== zero) return different
  }
  return afterHex(wanted, bytes, next + 3)
}

/** The place after two hexadecimal digits, in either case. */
function afterHex(wanted: number, bytes: Uint8Array, at: number): number {
  const digits = wanted.toString(16).padStart(2, '0')
  for (let index = 0; index < 2; index++) {
    if (at + index >= bytes.length) return undecided
    if (String.fromCharCode(bytes[at + index] ?? 0).toLowerCase() !== digits[index]) return different
  }
  return at + 2
}
