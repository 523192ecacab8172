// One driver per session: an exclusive Web Lock, held as long as the host has the session. The store's epoch fences
// whoever writes without it.
import { wait } from './waits.js'

/** The part of `navigator.locks` that is used, so that Node and tests can bring their own. */
export type Locks = Pick<LockManager, 'request' | 'query'>

const nameOf = (id: string) => `tool-agent:${id}`

/**
 * The release function, or undefined when another host kept the lock for `patience` ms. A reload needs some patience:
 * the page before is granted a moment to be gone. Without Web Locks every host may drive; the epoch still fences.
 * `onLost`: another host took it.
 */
export async function lockSession(locks: Locks | undefined, id: string, patience: number, onLost?: () => void): Promise<(() => void) | undefined> {
  if (locks === undefined) return () => undefined
  const patient = new AbortController()
  const timer = setTimeout(() => patient.abort(), patience)
  try {
    return await request(locks, id, { signal: patient.signal }, onLost)
  } catch {
    // Another drives it; or locks are refused (a sandboxed frame), and nobody shares anything with this page.
    return patient.signal.aborted ? undefined : () => undefined
  } finally {
    clearTimeout(timer)
  }
}

/** Takes the lock from a driver that does not let go. */
export function stealSession(locks: Locks, id: string, onLost?: () => void): Promise<() => void> {
  return request(locks, id, { steal: true }, onLost)
}

function request(locks: Locks, id: string, options: LockOptions, onLost: (() => void) | undefined): Promise<() => void> {
  return new Promise<() => void>((granted, refused) => {
    let isMine = false
    const held = locks.request(nameOf(id), options, () => new Promise<void>((resolve) => {
      isMine = true
      granted(() => {
        isMine = false
        resolve()
      })
    }))
    held.catch((thrown: unknown) => {
      refused(thrown)
      if (isMine) onLost?.()
    })
  })
}

/** Whether some host drives it now. */
export async function isDriven(locks: Locks | undefined, id: string): Promise<boolean> {
  const { held = [] }: LockManagerSnapshot = await locks?.query().catch(() => ({})) ?? {}
  return held.some((lock) => lock.name === nameOf(id) && lock.mode === 'exclusive')
}

/** A reload of the driver's page takes about this long. */
const reloadTime = 600

/** Resolves when nobody drives the session and nobody is about to. */
export async function untilUndriven(locks: Locks, id: string, signal: AbortSignal): Promise<void> {
  const name = nameOf(id)
  for (;;) {
    // Shared with other mirrors, and let go at once: a driver that waits behind it is not held up.
    await locks.request(name, { mode: 'shared', signal }, () => undefined)
    await wait(reloadTime, signal)
    const { held = [], pending = [] } = await locks.query()
    if (![...held, ...pending].some((lock) => lock.name === name && lock.mode === 'exclusive')) return
  }
}
