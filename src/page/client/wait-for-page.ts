// After a reload, a resumed turn waits until the page is as it was: the document is complete, and the tools that the
// turn had are registered again.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import type { ToolRegistry } from '../tools/registry.js'

/** Resolves when the page is ready, after `limit` milliseconds, or when the signal is aborted. Never rejects. */
export async function untilPageReady(
  names: readonly string[],
  registry: ToolRegistry,
  limit: number,
  signal: AbortSignal,
): Promise<void> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(Math.min(limit, 2 ** 31 - 1))])
  await untilDone(until, (done, ended) => {
    if (typeof document !== 'object' || unclobbered(document).readyState === 'complete') done()
    else window.addEventListener('load', done, { signal: ended })
  })
  await untilDone(until, (done, ended) => {
    const check = () => {
      if (names.every((name) => registry.get(name) !== undefined)) done()
    }
    ended.addEventListener('abort', registry.onChange(check))
    check()
  })
}

/** Resolves when `listen` calls `done` or the signal is aborted. `ended` is aborted then, to remove listeners. */
function untilDone(signal: AbortSignal, listen: (done: () => void, ended: AbortSignal) => void): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const ended = new AbortController()
    const done = () => {
      ended.abort()
      resolve()
    }
    signal.addEventListener('abort', done, { signal: ended.signal })
    listen(done, ended.signal)
  })
}
