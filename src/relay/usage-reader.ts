// Reads the usage of an answer while its bytes pass through. Keeps only what may be part of a line that has one.
import { joined } from './bytes.js'
import type { Protocol, Usage } from './protocols.js'

/** Bytes. A longer line is not read. */
const maxLine = 1_000_000
const lineFeed = 10
const decoder = new TextDecoder()

export interface UsageReader {
  add(bytes: Uint8Array): void
  /** Call it after the last bytes. Fields that the answer did not report are missing. */
  end(): Partial<Usage>
}

/** Creates the reader of one answer. `isStream`: its body is a stream of server-sent events, not one JSON value. */
export function usageReader(protocol: Protocol, isStream: boolean): UsageReader {
  const usage: Partial<Usage> = {}
  /** The beginning of a line whose end has not arrived. */
  let held: Uint8Array[] = []
  let heldBytes = 0
  let isTooLong = false

  /** Whole lines. */
  const read = (bytes: Uint8Array) => {
    const text = decoder.decode(bytes)
    // Most events of a stream have no usage, so they are not parsed.
    if (!/usage/i.test(text)) return
    for (const line of isStream ? text.split('\n') : [text]) {
      if (line.length > maxLine || !/usage/i.test(line)) continue
      try {
        protocol.readUsage(JSON.parse(line.replace(/^data:\s*/, '')), usage)
      } catch {
        // Not JSON: the name of an event, or the beginning of an answer that was cut off.
      }
    }
  }

  /** Adds bytes of a line that goes on. */
  const hold = (bytes: Uint8Array) => {
    if (bytes.length === 0) return
    heldBytes += bytes.length
    isTooLong ||= heldBytes > maxLine
    if (isTooLong) held = []
    else held.push(bytes)
  }

  /** The line that goes on is whole. */
  const endLine = () => {
    if (held.length > 0) read(joined(held))
    held = []
    heldBytes = 0
    isTooLong = false
  }

  return {
    add(bytes) {
      const end = isStream ? bytes.lastIndexOf(lineFeed) + 1 : 0
      let begin = 0
      if (end > 0 && heldBytes > 0) {
        begin = bytes.indexOf(lineFeed) + 1
        hold(bytes.subarray(0, begin))
        endLine()
      }
      if (end > begin) read(bytes.subarray(begin, end))
      hold(bytes.subarray(end))
    },
    end() {
      endLine()
      return usage
    },
  }
}
