// One driver per session: an exclusive Web Lock, held as long as the host has the session. The store's epoch fences
// a host that writes without it. A second lock beside it names the tab of the driver.
import { SessionChannel, type Channels } from './session-channel.js'
import { delay } from '../timers.js'

/** The part of `navigator.locks` that is used, so that Node and tests can bring their own. */
export type Locks = Pick<LockManager, 'request' | 'query'>

const nameOf = (id: string) => `tool-agent:${id}`
const tabNameOf = ({ id, tab }: SessionClaim) => `tool-agent-driver:${tab}:${id}`

/** Which session a host wants to have, and the tab that it drives it for. */
export interface SessionClaim {
  readonly id: string
  readonly tab?: string
  /** Called when another host took the lock. */
  readonly onLost?: () => void
}

/** How long a driver may take to answer, in milliseconds. It ends before the wait for the lock does. */
const answerTime = 900

/** Where hosts of one origin meet. */
export interface Origin {
  readonly locks?: Locks | undefined
  readonly channels?: Channels | undefined
}

/**
 * As `lockSession`, for a page that opens the session. If a page of the same tab holds the lock and does not answer,
 * the lock is stolen: the browser froze that page in its back/forward cache, or its worker hangs. A page that does not
 * answer in another tab keeps the lock until the user acts.
 */
export async function lockOrSteal(
  { locks, channels }: Origin,
  claim: SessionClaim,
  patience: number,
): Promise<(() => void) | undefined> {
  const silence = locks && channels && (await isHeldInTab(locks, claim)) ? isSilent(channels, claim.id) : undefined
  const release = await lockSession(locks, claim, patience)
  if (release || !locks || !(await silence)) return release
  return stealSession(locks, claim).catch(() => undefined) // A third page was faster.
}

async function isHeldInTab(locks: Locks, claim: SessionClaim): Promise<boolean> {
  const { held = [] }: LockManagerSnapshot = await locks.query().catch(() => ({}))
  const holders = (name: string) => held.filter((lock) => lock.name === name).map(({ clientId }) => clientId)
  const inTab = holders(tabNameOf(claim))
  return holders(nameOf(claim.id)).some((holder) => inTab.includes(holder))
}

/** Whether no driver of the session answers. */
function isSilent(channels: Channels, id: string): Promise<boolean> {
  return new Promise<boolean>((resolve) => {
    const channel = new SessionChannel(channels, id, ({ type }) => {
      if (type === 'snapshot' || type === 'event') end(false)
    })
    const timer = setTimeout(() => end(true), answerTime)
    const end = (isOver: boolean) => {
      clearTimeout(timer)
      channel.close()
      resolve(isOver)
    }
    channel.post({ type: 'hello' })
  })
}

/**
 * The release function, or undefined when another host kept the lock for `patience` ms. A reload needs some patience:
 * the page before is granted a moment to be gone. Without Web Locks every host may drive; the epoch still fences.
 */
export async function lockSession(
  locks: Locks | undefined,
  claim: SessionClaim,
  patience: number,
): Promise<(() => void) | undefined> {
  if (locks === undefined) return () => undefined
  const patient = new AbortController()
  const timer = setTimeout(() => patient.abort(), patience)
  try {
    return await request(locks, claim, { signal: patient.signal })
  } catch {
    // Another drives it; or locks are refused (a sandboxed frame), and nobody shares anything with this page.
    return patient.signal.aborted ? undefined : () => undefined
  } finally {
    clearTimeout(timer)
  }
}

/** Takes the lock from a driver that does not let go. */
export function stealSession(locks: Locks, claim: SessionClaim): Promise<() => void> {
  return request(locks, claim, { steal: true })
}

function request(locks: Locks, claim: SessionClaim, options: LockOptions): Promise<() => void> {
  return new Promise<() => void>((granted, refused) => {
    let isMine = false
    const held = locks.request(
      nameOf(claim.id),
      options,
      () =>
        new Promise<void>((resolve) => {
          isMine = true
          // Held as long as the other. Without it the driver seems to be in another tab.
          const quiet = () => held.catch(() => undefined)
          if (claim.tab) locks.request(tabNameOf(claim), { mode: 'shared' }, quiet).catch(() => undefined)
          granted(() => {
            isMine = false
            resolve()
          })
        }),
    )
    held.catch((thrown: unknown) => {
      refused(thrown)
      if (isMine) claim.onLost?.()
    })
  })
}

/** Whether some host drives it now. */
export async function isDriven(locks: Locks | undefined, id: string): Promise<boolean> {
  const { held = [] }: LockManagerSnapshot = (await locks?.query().catch(() => ({}))) ?? {}
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
    await delay(reloadTime, signal)
    const { held = [], pending = [] } = await locks.query()
    if (![...held, ...pending].some((lock) => lock.name === name && lock.mode === 'exclusive')) return
  }
}
