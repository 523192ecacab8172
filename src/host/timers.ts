// Waiting for time and for a network, each ended by a signal.
import { abortable } from '../core/turn/abort.js'

/** How often an endpoint is tried without a network: a device may be wrong about itself. */
const probeEvery = 3_000

export async function waitUntilOnline(signal: AbortSignal): Promise<void> {
  const done = new AbortController()
  const either = AbortSignal.any([signal, done.signal])
  const heard = new Promise<void>((resolve) =>
    globalThis.addEventListener?.('online', () => resolve(), { once: true, signal: either }),
  )
  await Promise.race([heard, delay(probeEvery, either)]).finally(() => done.abort())
}

/** A timer of more milliseconds than this fires at once. */
const longestTimer = 2 ** 31 - 1

export function delay(ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout>
  return abortable(
    signal,
    (resolve) => {
      timer = setTimeout(resolve, Math.min(ms, longestTimer))
    },
    () => clearTimeout(timer),
  )
}
