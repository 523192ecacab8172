// One driver per session: an exclusive Web Lock, held while the host drives. A second, shared lock names the driver's
// tab. A host that writes without the lock is rejected by the store's epoch.
import { SessionChannel, type Channels } from './session-channel.js'
import { delay } from '../timers.js'

/** The part of `navigator.locks` that is used, so that Node and tests can pass their own. */
export type Locks = Pick<LockManager, 'request' | 'query'>

/** The name of a session's lock. Its holder drives the session. */
const lockName = (id: string) => `tool-agent:${id}`
const tabLockName = ({ id, tab }: SessionClaim) => `tool-agent-driver:${tab}:${id}`

/** The session that a host wants to drive, and for which tab. */
export interface SessionClaim {
  /** Id of the session. */
  readonly id: string
  /** Id of the page's tab. It survives reloads, and a duplicated tab has it, too. */
  readonly tab?: string
  /** Called when another host took the lock. */
  readonly onLost?: () => void
}

/** Milliseconds to wait for a session's lock. */
export const lockPatience = 1_000
/** Milliseconds that a driver has to answer. Must be shorter than the wait for the lock. */
const answerTimeout = 900

/** What the hosts of one origin share. */
export interface Origin {
  /** `navigator.locks`, if it exists. */
  readonly locks?: Locks | undefined
  /** Opens channels between tabs, if the browser has them. */
  readonly channels?: Channels | undefined
}

/**
 * `lockSession` for a page that opens the session. Steals the lock from a silent page of the same tab: it is frozen in
 * the back/forward cache, or its worker hangs. A silent page in another tab keeps the lock until the user acts.
 */
export async function lockOrSteal(
  { locks, channels }: Origin,
  claim: SessionClaim,
  patience: number,
): Promise<(() => void) | undefined> {
  const silence = locks && channels && (await isHeldInTab(locks, claim)) ? isSilent(channels, claim.id) : undefined
  const release = await lockSession(locks, claim, patience)
  if (release || !locks || !(await silence)) return release
  return stealSession(locks, claim).catch(() => undefined) // Another page stole it first.
}

async function isHeldInTab(locks: Locks, claim: SessionClaim): Promise<boolean> {
  const { held = [] }: LockManagerSnapshot = await locks.query().catch(() => ({}))
  const holders = (name: string) => held.filter((lock) => lock.name === name).map(({ clientId }) => clientId)
  const inTab = holders(tabLockName(claim))
  return holders(lockName(claim.id)).some((holder) => inTab.includes(holder))
}

/** Whether the driver of the session does not answer in time. */
function isSilent(channels: Channels, id: string): Promise<boolean> {
  return new Promise<boolean>((resolve) => {
    const channel = new SessionChannel(channels, id, ({ type }) => {
      if (type === 'snapshot' || type === 'event') end(false)
    })
    const timer = setTimeout(() => end(true), answerTimeout)
    const end = (isOver: boolean) => {
      clearTimeout(timer)
      channel.close()
      resolve(isOver)
    }
    channel.post({ type: 'hello' })
  })
}

/**
 * Waits `patience` milliseconds for the lock, because after a reload the previous page still holds it for a moment.
 * Resolves with the release function, or with undefined if another host keeps the lock. Without Web Locks it always
 * resolves with a function; then the store's epoch alone decides who may write.
 */
export async function lockSession(
  locks: Locks | undefined,
  claim: SessionClaim,
  patience: number,
): Promise<(() => void) | undefined> {
  if (locks === undefined) return () => undefined
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), patience)
  try {
    return await request(locks, claim, { signal: timeout.signal })
  } catch {
    // After the timeout another host drives. Any other error means that locks are blocked (a sandboxed frame), and then
    // no other page shares this session.
    return timeout.signal.aborted ? undefined : () => undefined
  } finally {
    clearTimeout(timer)
  }
}

/** Takes the lock from its holder. Rejects if another host takes it at the same time. */
export function stealSession(locks: Locks, claim: SessionClaim): Promise<() => void> {
  return request(locks, claim, { steal: true })
}

function request(locks: Locks, claim: SessionClaim, options: LockOptions): Promise<() => void> {
  return new Promise<() => void>((grant, reject) => {
    let isHeld = false
    const held = locks.request(
      lockName(claim.id),
      options,
      () =>
        new Promise<void>((resolve) => {
          isHeld = true
          // Held exactly as long as the session lock. If it fails, the driver counts as one of another tab.
          const untilReleased = () => held.catch(() => undefined)
          if (claim.tab) locks.request(tabLockName(claim), { mode: 'shared' }, untilReleased).catch(() => undefined)
          grant(() => {
            isHeld = false
            resolve()
          })
        }),
    )
    held.catch((thrown: unknown) => {
      reject(thrown)
      if (isHeld) claim.onLost?.()
    })
  })
}

// Questions about the lock of a session that only mirrors and retention ask.

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
