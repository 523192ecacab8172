// Bytes of a response to text, and text to the data of server-sent events. Reads with a reader (WebKit has no
// `for await` over a stream), within a bound, and lets go of the connection however the reading ends.
import { abortable } from '../../../core/turn/abort.js'
import { createParser } from 'eventsource-parser'
import { badResponse } from './http-errors.js'

export interface ReadOptions {
  readonly signal: AbortSignal
  /** Bytes to read at most. */
  readonly limit: number
  /** What a longer body does: `throw` (default) an error, or `end` the text there. */
  readonly whenLonger?: 'throw' | 'end'
  /** Milliseconds to wait for the next chunk before the text counts as ended; undefined waits for ever. */
  patience?(): number | undefined
}

/** The decoded text of a body in chunks. Throws the signal's reason at once when it aborts. */
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
      // What came within the bound counts, however much came with it.
      const text = decoder.decode(read.value.subarray(0, room), { stream: true })
      if (text !== '') yield text
      if (bytes <= options.limit) continue
      if (options.whenLonger === 'end') return
      throw badResponse(`The answer is longer than limits.responseBytes allows (${options.limit} bytes).`)
    }
    const rest = decoder.decode()
    if (rest !== '') yield rest
  } finally {
    // Whatever is still coming has no reader any more, and neither has its error.
    reader.cancel().catch(() => undefined)
  }
}

export interface SseEvent {
  readonly event: string | undefined
  readonly data: string
}

/** Feeds text, gives the events it completed; `end` completes one that its blank line never followed. */
export function createSseReader(): { feed(text: string): SseEvent[]; end(): SseEvent[] } {
  let events: SseEvent[] = []
  const parser = createParser({
    onEvent: ({ event, data }) => {
      if (data.trim() !== '') events.push({ event, data })
    },
  })
  const take = (text: string): SseEvent[] => {
    parser.feed(text)
    const taken = events
    events = []
    return taken
  }
  return { feed: take, end: () => take('\n\n') }
}

/** A promise, or the reason of a signal as soon as it aborts, or undefined after some time. Leaves no listener behind. */
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
  promise.catch(() => undefined) // Nobody's, where the signal was first.
  return ended.finally(() => clearTimeout(timer))
}
