// Reads the usage of an answer while its bytes pass through. Keeps only the current line.

/** A longer line is not read. */
const maxLine = 1_000_000

/**
 * Creates the reader of one answer.
 * @param {import('./protocols.mjs').Protocol} protocol
 * @param {boolean} isStream The body is a stream of server-sent events; otherwise it is one JSON value.
 */
export function usageReader(protocol, isStream) {
  const decoder = new TextDecoder()
  /** @type {Partial<import('./protocols.mjs').Usage>} */
  const usage = {}
  let line = ''
  let isTooLong = false

  const endLine = () => {
    // Most events of a stream have no usage, so they are not parsed.
    if (!isTooLong && /usage/i.test(line)) {
      try {
        protocol.readUsage(JSON.parse(line.replace(/^data:\s*/, '')), usage)
      } catch {
        // Not JSON: the name of an event, or the beginning of an answer that was cut off.
      }
    }
    line = ''
    isTooLong = false
  }

  return {
    /** @param {Uint8Array} bytes */
    add(bytes) {
      const text = decoder.decode(bytes, { stream: true })
      for (const [index, piece] of (isStream ? text.split('\n') : [text]).entries()) {
        if (index > 0) endLine()
        if (!isTooLong) line += piece
        if (line.length <= maxLine) continue
        line = ''
        isTooLong = true
      }
    },
    /** Call it after the last bytes. Fields that the answer did not report are missing. */
    end() {
      endLine()
      return usage
    },
  }
}
