// One driver per session: an exclusive Web Lock, held as long as the host has the session. The store's epoch fences
// whoever writes without it.

/** The part of `navigator.locks` that is used, so that Node and tests can bring their own. */
export type Locks = Pick<LockManager, 'request'>

/**
 * The release function, or undefined when another host kept the lock for `patience` ms. A reload needs some patience:
 * the page before is granted a moment to be gone. Without Web Locks every host may drive; the epoch still fences.
 */
export async function lockSession(locks: Locks | undefined, id: string, patience: number): Promise<(() => void) | undefined> {
  if (locks === undefined) return () => undefined
  const patient = new AbortController()
  const timer = setTimeout(() => patient.abort(), patience)
  try {
    return await new Promise<() => void>((granted, refused) => {
      const held = locks.request(`tool-agent:${id}`, { signal: patient.signal }, () =>
        new Promise<void>((release) => granted(release)))
      held.catch(refused)
    })
  } catch {
    return undefined // Only the patience can end the wait; a lock lost later rejects a promise nobody waits for.
  } finally {
    clearTimeout(timer)
  }
}
