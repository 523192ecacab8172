// After a reload a turn waits for the page it was begun on: until the document is complete and the tools of its last
// offer are registered again, within a limit. Loaded for such a turn.
import { unclobbered } from '../../core/data/unclobbered.js'
import type { ToolRegistry } from '../tools/registry.js'

/** Resolves when ready, after `limit` ms, or when the signal is aborted. */
export async function untilPageReady(
  names: readonly string[],
  registry: ToolRegistry,
  limit: number,
  signal: AbortSignal,
): Promise<void> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(Math.min(limit, 2 ** 31 - 1))])
  await untilEvent(until, (done) => {
    if (typeof document !== 'object' || unclobbered(document).readyState === 'complete') return done()
    window.addEventListener('load', done, { once: true })
    return () => window.removeEventListener('load', done)
  })
  await untilEvent(until, (done) => {
    const check = () => {
      if (names.every((name) => registry.get(name) !== undefined)) done()
    }
    const stop = registry.onChange(check)
    check()
    return stop
  })
}

function untilEvent(signal: AbortSignal, begin: (done: () => void) => void | (() => void)): Promise<void> {
  return new Promise((resolve) => {
    let isDone = false
    let stop: void | (() => void)
    const done = () => {
      isDone = true
      signal.removeEventListener('abort', done)
      stop?.()
      resolve()
    }
    if (signal.aborted) return resolve()
    signal.addEventListener('abort', done, { once: true })
    stop = begin(done)
    if (isDone) stop?.() // It was true from the start, before there was anything to stop.
  })
}
