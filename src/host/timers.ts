// Waits for a time or for the network. A signal ends each wait with its reason.
import { abortable } from '../core/loop/abort.js'

/** Milliseconds after which an endpoint is tried without an `online` event: devices report their network wrongly. */
const probeInterval = 3_000

/** Resolves when the browser reports a network, at the latest after `probeInterval`. */
export async function waitUntilOnline(signal: AbortSignal): Promise<void> {
  const done = new AbortController()
  globalThis.addEventListener?.('online', () => done.abort(), { signal: done.signal })
  // An early end by `online` rejects the wait, and an abort by the caller must still reject.
  await delay(probeInterval, AbortSignal.any([signal, done.signal])).catch(() => undefined)
  done.abort()
  signal.throwIfAborted()
}

/** A timer with more milliseconds than this fires immediately. */
const maxTimer = 2 ** 31 - 1

/** Resolves after `ms` milliseconds, at the latest after 24.8 days. */
export function delay(ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout>
  return abortable(
    signal,
    (resolve) => {
      timer = setTimeout(resolve, Math.min(ms, maxTimer))
    },
    () => clearTimeout(timer),
  )
}
