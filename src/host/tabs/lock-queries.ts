// Questions about the lock of a session that only mirrors and retention ask.
import { delay } from '../timers.js'
import { lockName, type Locks } from './session-lock.js'

/** Whether any host drives the session now. */
export async function isDriven(locks: Locks | undefined, id: string): Promise<boolean> {
  const { held = [] }: LockManagerSnapshot = (await locks?.query().catch(() => ({}))) ?? {}
  return held.some((lock) => lock.name === lockName(id) && lock.mode === 'exclusive')
}

/** Milliseconds that a reload of the driver's page takes. */
const reloadDuration = 600

/** Resolves when no host drives the session or waits to drive it. */
export async function untilUndriven(locks: Locks, id: string, signal: AbortSignal): Promise<void> {
  const name = lockName(id)
  for (;;) {
    // Shared with other mirrors and released immediately, so that it does not delay a waiting driver.
    await locks.request(name, { mode: 'shared', signal }, () => undefined)
    await delay(reloadDuration, signal)
    const { held = [], pending = [] } = await locks.query()
    if (![...held, ...pending].some((lock) => lock.name === name && lock.mode === 'exclusive')) return
  }
}
