// What the relay uses of Node: shapes of its requests, answers and streams, and timers. No module of Node is imported,
// so that one file runs in Node and on edge runtimes, and its types need no `@types/node`.
import type { Source } from './direct.js'

/**
 * A request of `node:http`, and of the servers that pass theirs on: Express, Fastify (`request.raw`), Connect, Vite.
 */
export interface NodeRequest extends NodeStream {
  readonly method?: string | undefined
  readonly url?: string | undefined
  /** The address before a framework removed the path where the handler is mounted. */
  readonly originalUrl?: string | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** What a parser that ran earlier has read: an object, a text or bytes. */
  readonly body?: unknown
}

/** An answer of `node:http`. */
export interface NodeResponse {
  readonly headersSent: boolean
  readonly destroyed: boolean
  readonly writableFinished: boolean
  writeHead(status: number, headers?: Record<string, string>): unknown
  flushHeaders(): void
  write(bytes: Uint8Array): boolean
  end(): unknown
  destroy(): unknown
  on(event: 'close' | 'drain', listener: () => void): unknown
}

/** A stream that can be read. */
export interface NodeStream {
  readonly readableEnded: boolean
  readonly closed: boolean
  on(event: 'data', listener: (bytes: Uint8Array) => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'end' | 'close' | 'aborted', listener: () => void): unknown
  pause(): unknown
  resume(): unknown
  destroy(error?: Error): unknown
}

declare function setImmediate(callback: () => void): object
declare function clearImmediate(immediate: object): void

/** Calls back after the events that are ready now. The returned function cancels it. */
export function afterEvents(callback: () => void): () => void {
  const immediate = setImmediate(callback)
  return () => clearImmediate(immediate)
}

/** A timer that does not keep a process alive: an answer that nobody reads must not. */
export function unreferenced<T>(timer: T): T {
  if (typeof timer === 'object' && timer !== null && 'unref' in timer && typeof timer.unref === 'function')
    timer.unref()
  return timer
}

/**
 * The source of a stream. It is paused while the sink waits, so a slow page slows the model down.
 */
export function nodeSource(stream: NodeStream): Source {
  let failed: unknown
  // It may fail before anybody reads.
  stream.on('error', (error) => (failed = error))
  return (sink) => {
    const fail = () => {
      if (!stream.readableEnded) sink.fail(failed ?? new Error('The connection broke'))
    }
    if (stream.closed) afterEvents(fail)
    stream.on('close', fail)
    stream.on('end', () => sink.end())
    stream.on('data', (bytes) => {
      if (!sink.write(bytes)) stream.pause()
    })
    return { resume: () => void stream.resume(), cancel: () => void stream.destroy() }
  }
}
