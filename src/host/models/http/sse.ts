// Turns the bytes of a response into text, and text into server-sent events, of which it reads the fields `data` and
// `event`. Uses a reader, because WebKit has no `for await` over a stream. Cancels the body whenever reading ends.
import { abortable } from '../../../core/loop/abort.js'
import { badResponse } from './answer-errors.js'

/** How `textChunks` reads. */
export interface ReadOptions {
  /** Aborting it ends a pending read. */
  readonly signal: AbortSignal
  /** The maximum number of bytes. */
  readonly limit: number
  /**
   * What happens to a longer body: `throw` a `bad-response`, or `end` the text there.
   * @default 'throw'
   */
  readonly whenLonger?: 'throw' | 'end'
  /** Milliseconds to wait for the next chunk before the text counts as complete; undefined waits without a limit. */
  patience?(): number | undefined
}

/** The decoded text of a body in chunks. Throws the signal's reason as soon as it aborts. */
export async function* textChunks(response: Response, options: ReadOptions): AsyncGenerator<string, void, undefined> {
  const reader = response.body?.getReader()
  if (reader === undefined) return
  const decoder = new TextDecoder()
  let bytes = 0
  try {
    for (;;) {
      const read = await within(reader.read(), options.signal, options.patience?.())
      if (read === undefined || read.done) break
      const room = options.limit - bytes
      bytes += read.value.byteLength
      // The bytes within the limit still count.
      const text = decoder.decode(read.value.subarray(0, room), { stream: true })
      if (text !== '') yield text
      if (bytes <= options.limit) continue
      if (options.whenLonger === 'end') return
      throw badResponse(`The response is longer than ${options.limit} bytes. Raise limits.responseBytes.`)
    }
    const rest = decoder.decode()
    if (rest !== '') yield rest
  } finally {
    // The rest is not read, so its errors do not matter.
    reader.cancel().catch(() => undefined)
  }
}

/** One server-sent event with data. */
export interface SseEvent {
  /** Its type, if the server named one. */
  readonly event: string | undefined
  /** Never blank. */
  readonly data: string
}

/** `feed` returns the events that the text completes. `end` returns the last one if its blank line is missing. */
export function createSseReader(): { feed(text: string): SseEvent[]; end(): SseEvent[] } {
  // The line that is not complete, in the pieces in which it arrived.
  let pieces: string[] = []
  let type = ''
  let data: string[] = []
  const feed = (text: string): SseEvent[] => {
    const events: SseEvent[] = []
    pieces.push(text)
    if (!/[\r\n]/.test(text)) return events
    // A carriage return at the end may be the first half of a line break.
    const lines = pieces.join('').split(/\r\n|\n|\r(?!$)/)
    pieces = [lines.pop() ?? '']
    for (const line of lines) {
      const [head, field] = /^(data|event)(?:: ?|$)/.exec(line) ?? ['']
      const value = line.slice(head.length)
      if (field === 'data') data.push(value)
      else if (field !== undefined) type = value
      else if (line === '') {
        const whole = data.join('\n')
        if (whole.trim() !== '') events.push({ event: type || undefined, data: whole })
        type = ''
        data = []
      }
    }
    return events
  }
  return { feed, end: () => feed('\n\n') }
}

/**
 * Settles as `promise` does. Rejects with the signal's reason when it aborts, and resolves with undefined after
 * `patience` milliseconds. Removes its listener in every case.
 */
export function within<T>(promise: Promise<T>, signal: AbortSignal): Promise<T>
export function within<T>(
  promise: Promise<T>,
  signal: AbortSignal,
  patience: number | undefined,
): Promise<T | undefined>
export function within<T>(promise: Promise<T>, signal: AbortSignal, patience?: number): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const ended = abortable<T | undefined>(signal, (resolve, reject) => {
    promise.then(resolve, reject)
    if (patience !== undefined) timer = setTimeout(() => resolve(undefined), patience)
  })
  promise.catch(() => undefined) // Ignored when the abort wins.
  return ended.finally(() => clearTimeout(timer))
}
